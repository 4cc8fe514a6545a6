//! What the checks need beyond Rust, and the command that brings each where it is missing.

use crate::workspace::{command, root, run, search_path};
use anyhow::{Result, bail};

/// A browser engine by the name that options and output use.
pub const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];

/// The release that the tests were written with.
const GECKODRIVER: &str = "geckodriver@0.37.1";

/// A missing part: what it is for the reader, and what to run, one command after the other.
struct Missing {
    name: &'static str,
    commands: Vec<Vec<&'static str>>,
}

/// Finds what is missing to test these engines. Runs the commands that bring it if `install`, otherwise fails with them.
pub fn provide(engines: &[&str], install: bool) -> Result<()> {
    let missing: Vec<Missing> = [node(), packages(engines), geckodriver(engines)].into_iter().flatten().collect();
    for part in &missing {
        let shown = part.commands.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(" && ");
        if !install {
            eprintln!("missing: {}. Run: {shown}", part.name);
            continue;
        }
        println!("installing {}: {shown}", part.name);
        for words in &part.commands {
            run(&mut command(words[0], &words[1..]))?;
        }
    }
    if !missing.is_empty() && !install {
        bail!(
            "run the commands above, or `cargo xtask test --install`, which runs them (the browsers by apt-get, on \
             Debian or Ubuntu); `--engines chromium,firefox` tests fewer engines"
        );
    }
    Ok(())
}

/// The pinned Node tools, installed after the lock file last changed.
fn node() -> Option<Missing> {
    let changed = |name: &str| std::fs::metadata(root().join("tests").join(name)).and_then(|file| file.modified()).ok();
    let installed = changed("node_modules/.package-lock.json");
    let current = installed.is_some() && installed >= changed("package-lock.json");
    let mut commands = vec![vec!["npm", "ci", "--prefix", "tests"]];
    if !has("npm") {
        commands.insert(0, as_root(&["apt-get", "install", "--yes", "--no-install-recommends", "nodejs", "npm"]));
    }
    (!current).then_some(Missing { name: "the Node tools", commands })
}

/// Debian's packages for the engines.
fn packages(engines: &[&str]) -> Option<Missing> {
    let mut wanted = Vec::new();
    if engines.contains(&"chromium") && !(has("chromedriver") && (has("chromium") || has("google-chrome"))) {
        wanted.extend(["chromium", "chromium-driver"]);
    }
    if engines.contains(&"firefox") && !(has("firefox") || has("firefox-esr")) {
        wanted.push("firefox-esr");
    }
    if engines.contains(&"webkit") && !(has("WebKitWebDriver") && has("Xvfb")) {
        wanted.extend(["webkit2gtk-driver", "xvfb", "xauth"]);
    }
    if wanted.is_empty() {
        return None;
    }
    // A machine without a single font shows boxes, and they are as wide as nothing else.
    wanted.push("fonts-dejavu-core");
    let mut install = as_root(&["apt-get", "install", "--yes", "--no-install-recommends"]);
    install.extend(wanted);
    Some(Missing { name: "the browsers", commands: vec![as_root(&["apt-get", "update"]), install] })
}

/// Firefox's driver, which Debian does not carry.
fn geckodriver(engines: &[&str]) -> Option<Missing> {
    let wanted = engines.contains(&"firefox") && !has("geckodriver");
    let commands = vec![vec!["cargo", "install", GECKODRIVER, "--locked"]];
    wanted.then_some(Missing { name: "Firefox's driver", commands })
}

fn as_root(words: &[&'static str]) -> Vec<&'static str> {
    let sudo = std::env::var("USER").is_ok_and(|user| user != "root") && has("sudo");
    sudo.then_some("sudo").into_iter().chain(words.iter().copied()).collect()
}

/// Whether a program is there.
fn has(program: &str) -> bool {
    search_path().iter().any(|folder| folder.join(program).is_file())
}
