//! The script `www/pkg/backoff.js` and the page in one file, `dist/index.html`.

use crate::core::Core;
use crate::workspace::{command, output, read, write};
use crate::{bare, pack};
use anyhow::{Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The bytes that `dist/index.html` should have at most.
const BUDGET: usize = 600_000;

/// The bytes that it may have while it is above its budget: the build fails above, so that it grows no further.
const LIMIT: usize = 830_000;

/// The policy of the root `index.html`; the packed page names hashes where this one says `'self'`.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data: blob:; \
                      worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'";

/// Bytes of the packed page by what they hold.
#[derive(Default)]
pub struct Sizes {
    /// The module, packed.
    pub wasm: usize,
    /// Scripts, packed, and the one that unpacks.
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
    let deflated = STANDARD.encode(miniz_oxide::deflate::compress_to_vec(&core.wasm, 9));
    let module = format!("{}\nconst module = backoffModule(\"{deflated}\");", read("www/module.js")?);
    write("www/pkg/backoff.js", script(&core.glue, &module)?.as_bytes())?;
    write("www/pkg/backoff.d.ts", types(&core.types).as_bytes())?;
    let (page, sizes) = pack(&read("index.html")?, core)?;
    write("dist/index.html", page.as_bytes())?;
    Ok(sizes)
}

/// One classic script that sets `globalThis.backoff`: the glue and the worker as functions, whose text is also the
/// source of the worker, and the promise of a compiled `module`.
fn script(glue: &str, module: &str) -> Result<String> {
    let (core, worker) = (read("www/core.js")?, read("www/worker.js")?);
    Ok(format!(
        "// Built by `cargo xtask open`.\n\
         (() => {{\n\
         function glue() {{\n{glue}\nreturn wasm_bindgen;\n}}\n\
         {worker}\n{core}\n{module}\n\
         globalThis.backoff = backoffCore(glue, module, backoffWorker);\n\
         }})();\n"
    ))
}

/// What a page that includes the script can use.
fn types(glue: &str) -> String {
    format!("{glue}\ndeclare const backoff: ReturnType<typeof backoffCore>;\n")
}

/// Puts the style sheet, the scripts and the module into the page, as small as they become, and names what runs in its
/// policy.
fn pack(page: &str, core: &Core) -> Result<(String, Sizes)> {
    let (mut scripts, mut styles, mut page) = (String::new(), String::new(), bare::markup(page));
    while let Some(name) = cut(&mut page, "<script src=\"", "\"></script>\n") {
        scripts += &match name.as_str() {
            "www/pkg/backoff.js" => script(&core.glue, "const module = globalThis.backoffModule;")?,
            name => read(name)?,
        };
    }
    while let Some(name) = cut(&mut page, "<link rel=\"stylesheet\" href=\"", "\">\n") {
        styles += &bare::style(&read(&name)?);
    }
    let (scripts, unpack) = (bare::script(&scripts)?, bare::script(&read("www/unpack.js")?)?);
    let policy = POLICY
        .replace("script-src 'self'", &format!("script-src {} {}", hash(&unpack), hash(&scripts)))
        .replace("style-src 'self'", &format!("style-src {}", hash(&styles)));
    let module = pack::element("module", &pack::sorted(&core.wasm)?)?;
    let mut sizes = Sizes { wasm: module.len(), style: styles.len(), ..Sizes::default() };
    let scripts = pack::element("scripts", scripts.as_bytes())? + &format!("<script>{unpack}</script>");
    sizes.script = scripts.len();
    for (place, text) in [
        (POLICY, policy),
        ("From its sources.", version()?),
        ("</head>", format!("<style>{styles}</style>\n</head>")),
        ("</body>", format!("{module}\n{scripts}\n</body>")),
    ] {
        ensure!(page.matches(place).count() == 1, "index.html does not hold once: {place}");
        page = page.replace(place, &text);
    }
    sizes.markup = page.len() - sizes.wasm - sizes.script - sizes.style;
    Ok((page, sizes))
}

/// "Version 0.1.0 of 2026-11-30.": the day of the commit, where there is one, so that the same sources give the same page.
fn version() -> Result<String> {
    let manifest = read("Cargo.toml")?;
    let version =
        manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap_or_default().trim_matches('"');
    let day = output(&mut command("git", &["log", "-1", "--format=%cs"])).ok().filter(|day| !day.is_empty());
    Ok(format!("Version {version}{}.", day.map_or(String::new(), |day| format!(" of {day}"))))
}

/// Takes the first `before name after` out of the page and gives its name.
fn cut(page: &mut String, before: &str, after: &str) -> Option<String> {
    let start = page.find(before)?;
    let length = page[start..].find(after)?;
    let name = page[start + before.len()..start + length].to_owned();
    page.replace_range(start..start + length + after.len(), "");
    Some(name)
}

/// A text that runs, as the policy names it.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}
