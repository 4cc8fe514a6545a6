//! `open`: builds both forms of the page and opens one.

use crate::workspace::root;
use crate::{core, page};
use anyhow::{Result, bail};
use std::process::{Command, Stdio};

/// Builds, prints where the page is, and opens it unless told `--no-open`.
pub fn run(options: &[&str]) -> Result<()> {
    let open = match options {
        [] => true,
        ["--no-open"] => false,
        _ => bail!("open takes --no-open or nothing"),
    };
    let sizes = page::build(&core::build()?)?;
    let forms = ["dist/index.html", "index.html"].map(|name| format!("file://{}", root().join(name).display()));
    println!("{}  one file, {} bytes: copy it anywhere", forms[0], sizes.total());
    println!("{}  the same page from its sources", forms[1]);
    if open && !show(&forms[0]) {
        println!("No browser was found to open it with.");
    }
    sizes.check()
}

/// Opens an address in the reader's browser; false where there is none.
fn show(address: &str) -> bool {
    let openers: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["cmd", "/c", "start", ""]],
        _ if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() => &[],
        _ => &[&["xdg-open"]],
    };
    openers.iter().any(|words| {
        let mut opener = Command::new(words[0]);
        let quiet = opener.args(&words[1..]).arg(address).stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    })
}
