//! The script `www/pkg/backoff.js` and the page in one file, `dist/index.html`.

use crate::core::Core;
use crate::workspace::{read, write};
use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The bytes that `dist/index.html` should have at most.
const BUDGET: usize = 600_000;

/// The bytes that it may have while it is above its budget: the build fails above, so that it grows no further.
const LIMIT: usize = 1_075_000;

/// The policy of the root `index.html`; the packed page names hashes where this one says `'self'`.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data: blob:; \
                      worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'";

/// Bytes of the packed page by what they hold.
pub struct Sizes {
    /// The module, compressed and in base64.
    pub wasm: usize,
    /// Scripts, without the module.
    pub script: usize,
    /// Style sheet.
    pub style: usize,
    /// Markup and the page's own texts.
    pub markup: usize,
}

impl Sizes {
    /// The whole file.
    pub fn total(&self) -> usize {
        self.wasm + self.script + self.style + self.markup
    }

    /// Fails above the limit.
    pub fn check(&self) -> Result<()> {
        ensure!(self.total() <= LIMIT, "dist/index.html is above its limit of {LIMIT} bytes: {self}");
        Ok(())
    }
}

impl std::fmt::Display for Sizes {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Sizes { wasm, script, style, markup } = self;
        let total = self.total();
        write!(f, "{total} bytes of {BUDGET}: wasm {wasm}, script {script}, style {style}, markup and texts {markup}")
    }
}

/// Writes `www/pkg/` and `dist/index.html`.
pub fn build(core: &Core) -> Result<Sizes> {
    let wasm = STANDARD.encode(miniz_oxide::deflate::compress_to_vec(&core.wasm, 10));
    let script = script(&core.glue, &wasm)?;
    write("www/pkg/backoff.js", script.as_bytes())?;
    write("www/pkg/backoff.d.ts", types(&core.types).as_bytes())?;
    let (page, mut sizes) = pack(&read("index.html")?)?;
    sizes.wasm = wasm.len();
    sizes.script -= wasm.len();
    write("dist/index.html", page.as_bytes())?;
    Ok(sizes)
}

/// One classic script that sets `globalThis.backoff`: the glue and the worker as functions, whose text is also the
/// source of the worker, and the module.
fn script(glue: &str, wasm: &str) -> Result<String> {
    let (core, worker) = (read("www/core.js")?, read("www/worker.js")?);
    Ok(format!(
        "// Built by `cargo xtask open`.\n\
         (() => {{\n\
         function glue() {{\n{glue}\nreturn wasm_bindgen;\n}}\n\
         {worker}\n{core}\n\
         globalThis.backoff = backoffCore(glue, \"{wasm}\", backoffWorker);\n\
         }})();\n"
    ))
}

/// What a page that includes the script can use.
fn types(glue: &str) -> String {
    format!("{glue}\ndeclare const backoff: ReturnType<typeof backoffCore>;\n")
}

/// Puts every script and style sheet of the page into it, and names them in its policy.
fn pack(page: &str) -> Result<(String, Sizes)> {
    let mut sizes = Sizes { wasm: 0, script: 0, style: 0, markup: 0 };
    let (page, scripts) = inline(page, "<script src=\"", "\"></script>", "script", &mut sizes.script)?;
    let (page, styles) = inline(&page, "<link rel=\"stylesheet\" href=\"", "\">", "style", &mut sizes.style)?;
    ensure!(page.matches(POLICY).count() == 1, "index.html does not hold the policy: {POLICY}");
    let policy = POLICY
        .replace("script-src 'self'", &format!("script-src {scripts}"))
        .replace("style-src 'self'", &format!("style-src {styles}"));
    let page = page.replace(POLICY, &policy);
    sizes.markup = page.len() - sizes.script - sizes.style;
    Ok((page, sizes))
}

/// Replaces every `before name after` by the text of the file that it names, as `element`. Gives the page and the
/// hashes for its policy; adds the texts' length to `size`.
fn inline(page: &str, before: &str, after: &str, element: &str, size: &mut usize) -> Result<(String, String)> {
    let mut parts = page.split(before);
    let mut packed = parts.next().unwrap_or_default().to_owned();
    let mut hashes = Vec::new();
    for part in parts {
        let (name, rest) = part.split_once(after).with_context(|| format!("`{before}` without `{after}`"))?;
        let text = read(name)?;
        for end in ["</script", "</style", "<!--"] {
            ensure!(!text.contains(end), "{name} holds `{end}`, which would end or open markup in the packed page");
        }
        hashes.push(format!("'sha256-{}'", STANDARD.encode(Sha256::digest(&text))));
        *size += text.len();
        packed += &format!("<{element}>{text}</{element}>{rest}");
    }
    Ok((packed, hashes.join(" ")))
}
