//! Retry libraries: how each is recognised, what it means, how it is written.
