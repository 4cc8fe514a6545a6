//! Drives the page in real browsers.
//!
//! [`webdriver`] speaks the protocol, [`engine`] starts a browser with a fresh profile, [`site`] is the proxy that all
//! its requests go through, [`page`] opens a form of the page and reads it as a person would, by names.

pub mod engine;
pub mod page;
pub mod site;
pub mod webdriver;
