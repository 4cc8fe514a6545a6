//! The checks. A new one is a function in a file of this folder and a line in [`ALL`].

mod hosting;

use anyhow::Result;
use page_tests::engine::Browser;

/// A name and what it does with a browser.
pub type Check = (&'static str, fn(&Browser) -> Result<()>);

/// All checks, in the order in which they run.
pub const ALL: &[Check] = &[("opens in every form", hosting::every_form), ("requests nothing", hosting::no_request)];
