//! The page, driven in real browsers.
