//! What is taken along: copied, saved, drawn; each opened by something else than the page.

use anyhow::{Context, Result, bail, ensure};
use base64::Engine as _;
use page_tests::engine::{Browser, Engine};
use page_tests::page::{Form, Page, root};
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};

/// The accent in light, as it stands in a file.
const ACCENT: &str = "rgb(0, 86, 125)";

fn opened<'b>(browser: &'b Browser, form: Form, link: &str) -> Result<Page<'b>> {
    let page = Page::open(browser, form, link)?;
    page.press(&page.session().first("#take-panel > summary")?)?;
    page.until("there is a text to take", || Ok(!page.text("#take-text")?.is_empty()))?;
    Ok(page)
}

fn choose(page: &Page, format: &str) -> Result<()> {
    page.session()
        .run(&format!("document.querySelector('#take-formats [value={format}]').click()"), json!([]))
        .map(drop)
}

/// Nothing is there before it is asked for; then each text is; the JSON is valid by its schema.
pub fn texts(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    ensure!(page.text("#take-text")?.is_empty(), "a text is written before it is asked for");
    let page = opened(browser, Form::Packed, "#v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full&callers=400")?;
    for (format, starts) in [
        ("markdown", "**6 calls**"),
        ("text", "6 calls"),
        ("csv", "attempt,min_ms"),
        ("settings", "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full&callers=400"),
        ("embed", "<iframe"),
        ("json", "{"),
    ] {
        choose(&page, format)?;
        page.until(&format!("{format} starts with {starts}"), || Ok(page.text("#take-text")?.starts_with(starts)))?;
    }
    page.has_no_error()?;
    valid(&page.text("#take-text")?)
}

/// Whether a JSON text keeps to `tests/export.schema.json`, by a validator of its own.
fn valid(json: &str) -> Result<()> {
    let mut node = Command::new("node");
    let mut node = node.arg(root().join("tests/schema.js")).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    node.stdin.take().context("no input")?.write_all(json.as_bytes())?;
    let output = node.wait_with_output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The buttons say what they copied; where the clipboard is refused, as by every browser where the page is not served
/// securely, the text is selected.
pub fn copies(browser: &Browser) -> Result<()> {
    for form in [Form::Packed, Form::PackedServed, Form::Sandboxed] {
        copied(browser, form).with_context(|| format!("{form:?}"))?;
    }
    Ok(())
}

fn copied(browser: &Browser, form: Form) -> Result<()> {
    let page = opened(browser, form, "")?;
    let session = page.session();
    choose(&page, "csv")?;
    page.until("the CSV is there", || Ok(page.text("#take-text")?.starts_with("attempt,")))?;
    let button = session.first("#take-copy")?;
    ensure!(session.text(&button)? == "Copy the CSV", "the button says {:?}", session.text(&button)?);
    session.click(&button)?;
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let wanted = lines(&page.text("#take-text")?);
    let selected = "return document.activeElement.id === 'take-text' ? String(getSelection()) : ''";
    let told = |text: &str| -> Result<bool> { Ok(session.text(&button)? == text) };
    page.until("it is copied, or selected", || {
        let selected = session.run(selected, json!([]))?;
        let selected = lines(selected.as_str().unwrap_or_default()) == wanted;
        Ok(selected || (form == Form::Packed && told("Copied the CSV")?))
    })?;
    page.has_no_error()
}

/// Each picture is an XML document with its colours inside, can be painted, and is a PNG that another reader decodes.
/// What is saved cannot be caught in Firefox, whose driver runs its scripts apart from the page's.
pub fn pictures(browser: &Browser) -> Result<()> {
    let page = opened(browser, Form::Packed, "#v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full&callers=400")?;
    // What is saved is caught on its way to the disk.
    page.session().run(
        "const create = URL.createObjectURL;
         URL.createObjectURL = (blob) => { globalThis.saved = blob; return create(blob); };
         HTMLAnchorElement.prototype.click = function () { globalThis.name = this.download; };",
        json!([]),
    )?;
    for of in ["schedule", "total", "fleet"] {
        choose(&page, "svg")?;
        let list = page.field("Picture of")?;
        page.session().run("arguments[0].value = arguments[1]", json!([list.to_value(), of]))?;
        page.session().run("arguments[0].dispatchEvent(new Event('change'))", json!([list.to_value()]))?;
        let shown = "const image = document.querySelector('#take-image');
                     return !image.hidden && image.src.startsWith(arguments[0]) && image.complete && image.naturalWidth > 300;";
        page.until(&format!("{of} is painted"), || Ok(page.session().run(shown, json!(["data:image/svg"]))? == true))?;
        let source =
            page.session().run("return decodeURIComponent(document.querySelector('#take-image').src)", json!([]))?;
        let source = source.as_str().and_then(|source| source.split_once(',')).map_or("", |(_, source)| source);
        svg(source).with_context(|| of.to_owned())?;
        choose(&page, "png")?;
        page.until(&format!("{of} is in pixels"), || Ok(page.session().run(shown, json!(["blob:"]))? == true))?;
        if browser.engine != Engine::Firefox {
            png(&saved(&page, "backoff.png")?).with_context(|| of.to_owned())?;
        }
    }
    page.has_no_error()
}

/// The bytes of what "Save as a file" saves.
fn saved(page: &Page, name: &str) -> Result<Vec<u8>> {
    let session = page.session();
    session.click(&page.named("button", "Save as a file")?)?;
    let saved = session.run_async(
        "const bytes = new Uint8Array(await globalThis.saved.arrayBuffer());
         return [globalThis.name, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))];",
        json!([]),
    )?;
    ensure!(saved[0] == name, "it is saved as {}", saved[0]);
    Ok(base64::engine::general_purpose::STANDARD.decode(saved[1].as_str().unwrap_or_default())?)
}

fn svg(source: &str) -> Result<()> {
    let document = roxmltree::Document::parse(source)?;
    let root = document.root_element();
    ensure!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")), "it begins with {:?}", root.tag_name());
    ensure!(root.attribute("viewBox").is_some() && root.attribute("width").is_some(), "it has no size");
    let shapes = || root.descendants().filter(roxmltree::Node::is_element);
    for shape in shapes() {
        ensure!(
            shape.attribute("class").is_none() && shape.attribute("style").is_none(),
            "{shape:?} needs a style sheet"
        );
        for attribute in shape.attributes() {
            ensure!(!attribute.value().contains("var("), "{attribute:?} needs the page");
        }
    }
    let coloured = shapes().any(|s| [s.attribute("fill"), s.attribute("stroke")].contains(&Some(ACCENT)));
    ensure!(coloured, "nothing has the colour {ACCENT}");
    ensure!(shapes().filter(|s| s.has_tag_name("text")).count() > 4, "it has no words");
    Ok(())
}

fn png(bytes: &[u8]) -> Result<()> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().context("too large")?];
    let info = reader.next_frame(&mut pixels)?;
    ensure!(info.width > 900 && info.height > 100, "it is {} by {}", info.width, info.height);
    let colours: std::collections::BTreeSet<&[u8]> = pixels.chunks(4).collect();
    // White ground, words, the tint and the accent with what lies between them.
    if colours.len() < 8 {
        bail!("it has {} colours", colours.len());
    }
    let accent = pixels.chunks(4).filter(|pixel| pixel[..3] == [0, 86, 125]).count();
    ensure!(accent > 50, "{accent} pixels have the accent's colour");
    Ok(())
}

/// Settings that are pasted are the page that they came from.
pub fn pasted(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let settings = "v=1&base=1s&factor=2&cap=3s&retries=5&jitter=none&callers=1000&call-time=2s";
    page.fill(&page.field("Retry configuration")?, settings)?;
    // 1 + 2 + 3 + 3 + 3 = 12.
    page.until("the worst case is 12 s", || Ok(page.worst_case()? == "12 s"))?;
    ensure!(page.text("#fleet-lead")?.starts_with("1000 callers"), "the fleet is {:?}", page.text("#fleet-lead")?);
    page.until("the link has it all", || {
        let address = page.session().address()?;
        Ok(settings.split('&').all(|pair| address.contains(pair)))
    })?;
    page.has_no_error()
}

/// Reset takes everything back, and the text area's own undo takes the reset back.
pub fn reset(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "#callers=9")?;
    page.fill(&page.field("Retry configuration")?, "base=1s factor=1 retries=2 jitter=none")?;
    page.until("the worst case is 2 s", || Ok(page.worst_case()? == "2 s"))?;
    let session = page.session();
    session.click(&page.named("button", "Reset")?)?;
    page.until("the worst case is 23 s", || Ok(page.worst_case()? == "23 s"))?;
    let fleet = page.text("#fleet-lead")?;
    ensure!(fleet.starts_with("400 callers"), "after a reset the fleet is {fleet:?}");
    let text = "return document.querySelector('#config').value";
    ensure!(session.run(text, json!([]))?.as_str().is_some_and(|text| text.starts_with("from tenacity")), "no example");
    session.run("document.querySelector('#config').focus(); document.execCommand('undo')", json!([]))?;
    page.until("undo brings the text back", || {
        Ok(session.run(text, json!([]))? == "base=1s factor=1 retries=2 jitter=none")
    })?;
    page.until("the worst case is 2 s again", || Ok(page.worst_case()? == "2 s"))
}
