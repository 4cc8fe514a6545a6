//! The Rust core as WebAssembly: compiled, and its JavaScript glue written.

use crate::workspace::{cargo_home, command, output, root, run, target_dir};
use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

/// The target of the page.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// What wasm-bindgen makes of the compiled core.
pub struct Core {
    /// A classic script that declares `wasm_bindgen`.
    pub glue: String,
    /// The TypeScript declarations of the same.
    pub types: String,
    /// The module.
    pub wasm: Vec<u8>,
}

/// Compiles the core, optimised for size, and writes its glue.
pub fn build() -> Result<Core> {
    add_target()?;
    let mut cargo = command("cargo", &["build", "--quiet", "--profile", "page", "--lib", "--target", TARGET]);
    // Where a panic stood is of no use without names, and takes a hundredth of the page. The flag is not stable yet.
    let flags = format!("{}\u{1f}-Zlocation-detail=none", remapped()?);
    run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags).env("RUSTC_BOOTSTRAP", "1"))?;
    let module = target_dir().join(TARGET).join("page/backoff.wasm");
    let mut output = Bindgen::new()
        .input_path(module)
        .no_modules(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()
        .context("wasm-bindgen")?;
    Ok(Core {
        glue: without_address(output.js())?,
        types: output.ts().context("wasm-bindgen wrote no types")?.to_owned(),
        wasm: output.wasm_mut().emit_wasm(),
    })
}

/// Adds the WebAssembly target where the toolchain lacks it. `rust-toolchain.toml` names it, but rustup ignores that
/// where it may not install by itself.
pub fn add_target() -> Result<()> {
    let libraries = output(&mut command("rustc", &["--print", "target-libdir", "--target", TARGET]))?;
    if std::path::Path::new(&libraries).is_dir() {
        return Ok(());
    }
    run(&mut command("rustup", &["target", "add", TARGET]))
}

/// Compiler flags that keep this machine's folders out of the module, so that it is the same everywhere.
fn remapped() -> Result<String> {
    let flags = [(cargo_home().context("no home folder")?, "cargo"), (root(), "backoff")];
    Ok(flags.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).join("\u{1f}"))
}

/// The glue asks where its script was loaded from, to find a module beside it. Ours travels inside, and in a `srcdoc`
/// frame the question throws.
fn without_address(glue: &str) -> Result<String> {
    const QUESTION: &str = "script_src = new URL(document.currentScript.src, location.href).toString();";
    let found = glue.matches(QUESTION).count();
    ensure!(found == 1, "expected one line `{QUESTION}` in the glue, found {found}: wasm-bindgen has changed");
    Ok(glue.replace(QUESTION, ""))
}
