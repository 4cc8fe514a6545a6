//! The page: opened in any of its forms, and read as a person would, by names.

use crate::engine::Browser;
use crate::site::HOME;
use crate::webdriver::{Element, Session};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The control key, as the protocol writes it.
const CONTROL: &str = "\u{e009}";

/// A way to have the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `dist/index.html` from disk.
    Packed,
    /// The root `index.html` from disk.
    Sources,
    /// `dist/index.html` over http.
    PackedServed,
    /// The root `index.html` over http.
    SourcesServed,
    /// The root `index.html` from a host whose own policy forbids inline scripts.
    SourcesStrict,
    /// `dist/index.html` in a frame.
    PackedFramed,
    /// The root `index.html` in a frame.
    SourcesFramed,
    /// `dist/index.html` in a frame that may only run scripts.
    Sandboxed,
    /// `dist/index.html` as the text of a frame.
    Srcdoc,
    /// `dist/index.html` as the text of a frame that may only run scripts.
    SandboxedSrcdoc,
    /// The root `index.html` with `probe.js` before its scripts.
    Probed,
    /// The sample host of `tests/host`, whose policy is strict.
    Hosted,
    /// With `embed=1` in a frame of this kind: `plain`, `sandboxed`, …
    Embedded(&'static str),
    /// `dist/index.html` in a frame so many CSS pixels wide; no window of Firefox or WebKit is as narrow as a phone.
    Wide(u32),
}

impl Form {
    /// All of them, but for the widths and the one that is reached into.
    pub const ALL: [Form; 10] = [
        Form::Packed,
        Form::Sources,
        Form::PackedServed,
        Form::SourcesServed,
        Form::SourcesStrict,
        Form::PackedFramed,
        Form::SourcesFramed,
        Form::Sandboxed,
        Form::Srcdoc,
        Form::SandboxedSrcdoc,
    ];

    /// The ways to embed it.
    pub const EMBEDDED: [Form; 6] = [
        Form::Hosted,
        Form::Embedded("plain"),
        Form::Embedded("sandboxed"),
        Form::Embedded("srcdoc"),
        Form::Embedded("sandboxed-srcdoc"),
        Form::Embedded("strict"),
    ];

    fn address(self) -> String {
        let file = |name: &str| format!("file://{}", root().join(name).display());
        let served = |name: &str| format!("{HOME}{name}");
        match self {
            Form::Packed => file("dist/index.html"),
            Form::Sources => file("index.html"),
            Form::PackedServed => served("dist/index.html"),
            Form::SourcesServed => served("index.html"),
            Form::SourcesStrict => served("strict/index.html"),
            Form::PackedFramed => served("frame/plain"),
            Form::SourcesFramed => served("frame/sources"),
            Form::Sandboxed => served("frame/sandboxed"),
            Form::Srcdoc => served("frame/srcdoc"),
            Form::SandboxedSrcdoc => served("frame/sandboxed-srcdoc"),
            Form::Probed => served("probed/index.html"),
            Form::Hosted => served("tests/host/index.html"),
            Form::Embedded(kind) => served(&format!("frame/embed-{kind}")),
            Form::Wide(width) => served(&format!("frame/{width}")),
        }
    }
}

/// The workspace's root folder.
pub fn root() -> PathBuf {
    let own = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    Path::new(&own).ancestors().nth(2).map(Path::to_owned).unwrap_or_default()
}

/// The page, open and computed.
pub struct Page<'a> {
    session: &'a Session,
}

impl<'a> Page<'a> {
    /// Opens a form with this after the address (`#…` or nothing) and waits until it has computed.
    pub fn open(browser: &'a Browser, form: Form, link: &str) -> Result<Page<'a>> {
        let session = &browser.session;
        session.enter_frame(None)?;
        // From one link of a page to another a browser only scrolls; from an empty page it loads.
        session.open("about:blank")?;
        session.open(&format!("{}{link}", form.address()))?;
        let page = Page { session };
        page.until("the page has computed", || {
            // A frame that moves to a process of its own while it loads has to be entered again.
            session.enter_frame(None)?;
            if let Some(frame) = session.all("iframe")?.first() {
                session.enter_frame(Some(frame))?;
            }
            Ok(!page.worst_case()?.is_empty())
        })?;
        Ok(page)
    }

    /// The browser's control, for what has no method here.
    pub fn session(&self) -> &'a Session {
        self.session
    }

    /// Waits until something holds, at most 15 s; errors on the way count as "not yet".
    pub fn until(&self, what: &str, holds: impl Fn() -> Result<bool>) -> Result<()> {
        let start = Instant::now();
        loop {
            let now = holds();
            if matches!(now, Ok(true)) {
                return Ok(());
            }
            if start.elapsed() > Duration::from_secs(15) {
                now.with_context(|| format!("waited in vain until {what}"))?;
                bail!("waited in vain until {what}");
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// The control or output of this name, by label or `aria-label`. That assistive technology finds the same names is
    /// a check of its own: Chromium's driver cannot ask for them in a sandboxed frame.
    pub fn named(&self, selector: &str, name: &str) -> Result<Element> {
        let script = "const text = (nodes) => [...nodes].map((node) => node?.textContent ?? '').join(' ');
            const ids = (list) => (list ?? '').split(/\\s+/).filter(Boolean).map((id) => document.getElementById(id));
            const name = (e) => text(ids(e.getAttribute('aria-labelledby'))) || e.getAttribute('aria-label')
                || text(e.labels ?? []) || e.textContent;
            return [...document.querySelectorAll(arguments[0])]
                .find((e) => name(e).replace(/\\s+/g, ' ').trim() === arguments[1]) ?? null;";
        let found = self.session.run(script, json!([selector, name]))?;
        Element::from_value(&found).with_context(|| format!("no `{selector}` is named {name:?}"))
    }

    /// A field of the form or the text area, by its name.
    pub fn field(&self, name: &str) -> Result<Element> {
        self.named("input, select, textarea", name)
    }

    /// What the output "Worst-case total wait" says.
    pub fn worst_case(&self) -> Result<String> {
        self.session.text(&self.named("output", "Worst-case total wait")?)
    }

    /// The rows of a table, heads first, by its caption; white space as one space.
    pub fn table(&self, caption: &str) -> Result<Vec<Vec<String>>> {
        let rows = self.session.run(
            "const table = [...document.querySelectorAll('table')]
                 .find((table) => table.caption?.textContent.trim() === arguments[0]);
             return table && [...table.rows].map((row) =>
                 [...row.cells].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()));",
            json!([caption]),
        )?;
        let rows = rows.as_array().with_context(|| format!("no table has the caption {caption:?}"))?;
        let cells =
            |row: &Value| row.as_array().into_iter().flatten().map(|c| c.as_str().unwrap_or("").to_owned()).collect();
        Ok(rows.iter().map(cells).collect())
    }

    /// A column of a table by its head: pairs of the row's head and the cell, for the rows of the body.
    pub fn column(&self, caption: &str, head: &str) -> Result<Vec<(String, String)>> {
        let mut rows = self.table(caption)?.into_iter();
        let heads = rows.next().unwrap_or_default();
        let at = heads.iter().position(|h| h == head).with_context(|| format!("no {head:?} among {heads:?}"))?;
        let cell = |row: &Vec<String>, at: usize| row.get(at).cloned().unwrap_or_default();
        let body = rows.filter(|row| row.first().is_some_and(|first| first.parse::<u64>().is_ok()));
        Ok(body.map(|row| (cell(&row, 0), cell(&row, at))).collect())
    }

    /// All text of the first element for a CSS selector, shown or only read aloud.
    pub fn text(&self, selector: &str) -> Result<String> {
        let text = self.session.run("return document.querySelector(arguments[0])?.textContent", json!([selector]))?;
        text.as_str().map(str::to_owned).with_context(|| format!("no element for `{selector}`"))
    }

    /// Fills a field as a paste does: focus, then the value at once with one `input` event.
    pub fn fill(&self, field: &Element, value: &str) -> Result<()> {
        let script = "const [field, value] = args;
                      field.focus();
                      // What the page does on the focus comes first, as before any paste.
                      await new Promise((done) => setTimeout(done));
                      field.value = value;
                      field.dispatchEvent(new Event('input', { bubbles: true }));";
        self.session.run_async(script, json!([field.to_value(), value])).map(drop)
    }

    /// Presses a button or a summary by script: what the page draws meanwhile moves nothing away from under a pointer,
    /// and nothing lies over it.
    pub fn press(&self, element: &Element) -> Result<()> {
        self.session.run("arguments[0].click()", json!([element.to_value()])).map(drop)
    }

    /// Replaces what is in a text field, key by key.
    pub fn retype(&self, field: &Element, value: &str) -> Result<()> {
        self.session.run("arguments[0].focus()", json!([field.to_value()]))?;
        self.retype_focused(value)
    }

    /// Replaces what is in the text field that has the focus, key by key.
    pub fn retype_focused(&self, value: &str) -> Result<()> {
        self.session.chord(CONTROL, "a")?;
        self.session.press(value)
    }

    /// Chooses an option of a list by its text.
    pub fn choose(&self, list: &Element, option: &str) -> Result<()> {
        let script = "const option = [...arguments[0].options].find((o) => o.text.trim() === arguments[1]);
                      if (!option) return false;
                      arguments[0].focus();
                      arguments[0].value = option.value;
                      arguments[0].dispatchEvent(new Event('input', { bubbles: true }));
                      arguments[0].dispatchEvent(new Event('change', { bubbles: true }));
                      return true;";
        let found = self.session.run(script, json!([list.to_value(), option]))?;
        ensure!(found == json!(true), "the list has no {option:?}");
        Ok(())
    }

    /// Nothing has gone wrong that the page could notice: no error, no rejected promise, no breach of its policy.
    pub fn has_no_error(&self) -> Result<()> {
        let shown = self.session.run(
            "return [...document.querySelectorAll('[role=alert]')].filter((e) => e.checkVisibility()).map((e) => e.innerText)",
            json!([]),
        )?;
        ensure!(shown == json!([]), "the error banner is shown: {shown}");
        Ok(())
    }
}
