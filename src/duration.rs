//! Times as people write them.
