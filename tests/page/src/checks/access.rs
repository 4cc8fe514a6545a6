//! The page for everybody: by keyboard, by name, in both themes, narrow and wide.

use anyhow::{Context, Result, bail, ensure};
use page_tests::engine::{Browser, Theme};
use page_tests::page::{Form, Page, root};
use page_tests::webdriver::Session;
use serde_json::json;

const TAB: &str = "\u{e004}";

/// Tab reaches the text area and then the fields in reading order; each shows that it has the focus; typing answers.
pub fn keyboard(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let session = page.session();
    tab_to(session, "Retry configuration")?;
    // The first focus selects the example, so typing replaces it: 1 + 3 + 8 = 12.
    session.press("base=1s factor=3 cap=8s retries=3 jitter=none")?;
    page.until("the worst case is 12 s", || Ok(page.worst_case()? == "12 s"))?;
    for (name, value, total) in [
        ("Base", "2s", "16 s"),    // 2 + 6 + 8
        ("Factor", "2", "14 s"),   // 2 + 4 + 8
        ("Cap", "5s", "11 s"),     // 2 + 4 + 5
        ("Attempts", "4", "16 s"), // 2 + 4 + 5 + 5
    ] {
        tab_to(session, name)?;
        page.retype_focused(value)?;
        page.until(&format!("{name} {value} makes {total}"), || Ok(page.worst_case()? == total))?;
    }
    tab_to(session, "Jitter")?;
    page.has_no_error()
}

/// Presses Tab until the focus is on the control of this name; every stop on the way has to be visible.
fn tab_to(session: &Session, name: &str) -> Result<()> {
    for _ in 0..60 {
        session.press(TAB)?;
        let focused = session.focused()?;
        let visible = session.run(
            "const style = getComputedStyle(arguments[0]);
             const wrapper = getComputedStyle(arguments[0].parentElement);
             return [style, wrapper].some((s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0);",
            json!([focused.to_value()]),
        )?;
        let now = session.name(&focused)?;
        ensure!(visible == json!(true), "the focus on {now:?} is not visible");
        if now == name {
            return Ok(());
        }
    }
    bail!("60 times Tab do not reach {name:?}")
}

/// Assistive technology finds each control under the name that it keeps.
pub fn names(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let fields = ["Retry configuration", "Base", "Factor", "Cap", "Attempts", "Jitter"];
    for name in fields {
        let computed = page.session().name(&page.field(name)?)?;
        ensure!(computed == name, "{name:?} is {computed:?} to assistive technology");
    }
    let output = page.session().name(&page.named("output", "Worst-case total wait")?)?;
    ensure!(output == "Worst-case total wait", "the output is {output:?} to assistive technology");
    let heads = page.table("Schedule")?.into_iter().next().unwrap_or_default();
    for head in ["Attempt", "Min", "Max"] {
        ensure!(heads.iter().any(|h| h == head), "the schedule has the heads {heads:?}");
    }
    Ok(())
}

/// Nothing for axe to find where the system prefers light.
pub fn light(browser: &Browser) -> Result<()> {
    audit(browser, Theme::Light)
}

/// Nothing for axe to find where the system prefers dark.
pub fn dark(browser: &Browser) -> Result<()> {
    audit(&Browser::start(browser.engine, Theme::Dark, &root())?, Theme::Dark)
}

fn audit(browser: &Browser, theme: Theme) -> Result<()> {
    let axe = root().join("tests/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).context("axe-core: run `npm ci --prefix tests`")?;
    for (width, link) in [(1280, ""), (320, ""), (1280, "#all"), (320, "#all")] {
        let page = Page::open(browser, Form::Wide(width), link)?;
        let session = page.session();
        let shown =
            session.run("return [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]", json!([]))?;
        ensure!(shown == json!([width, theme == Theme::Dark]), "width and theme are {shown}");
        let root = "const root = document.documentElement;";
        let beyond = session.run(&format!("{root} return root.scrollWidth - root.clientWidth"), json!([]))?;
        ensure!(beyond == json!(0), "at {width} px the page is {beyond} px too wide");
        session.run(&axe, json!([]))?;
        let found = session.run_async(
            "const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
             const { violations } = await axe.run(document, { runOnly: tags });
             return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);",
            json!([]),
        )?;
        ensure!(found == json!([]), "at {width} px {link} axe finds {found:#}");
    }
    Ok(())
}
