//! The page in somebody else's, and on paper.

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use page_tests::engine::{Browser, Engine};
use page_tests::page::{Form, Page};
use serde_json::json;

/// In each kind of frame `embed=1` shows input, answer and schedule only, with the form closed, and the host gives the
/// frame the height that it asks for, now and after it grows.
pub fn frames(browser: &Browser) -> Result<()> {
    for form in Form::EMBEDDED {
        frame(browser, form).with_context(|| format!("{form:?}"))?;
    }
    Ok(())
}

fn frame(browser: &Browser, form: Form) -> Result<()> {
    let page = Page::open(browser, form, "")?;
    let session = page.session();
    let visible = session.run(
        "return ['#config', '#sentence', '#schedule', '#total', '#fleet', '#take', '#how', '.head p', '#f-base']
             .filter((part) => document.querySelector(part).checkVisibility())",
        json!([]),
    )?;
    ensure!(visible == json!(["#config", "#sentence", "#schedule"]), "it shows {visible}");
    let fits = || {
        let inner = session.run("return [document.documentElement.scrollHeight, innerHeight]", json!([]))?;
        let (needs, has) = (inner[0].as_f64().unwrap_or(0.0), inner[1].as_f64().unwrap_or(0.0));
        Ok(needs > 300.0 && (needs - has).abs() <= 1.0)
    };
    page.until("the frame is as high as the page in it", fits)?;
    let before = session.run("return innerHeight", json!([]))?;
    session.run("document.querySelector('#form').open = true", json!([]))?;
    page.until("the frame grows with the form", || {
        Ok(fits()? && session.run("return innerHeight", json!([]))?.as_f64() > before.as_f64())
    })?;
    page.has_no_error()
}

/// `theme=` forces a theme on the embedded page, whatever the system prefers.
pub fn theme(browser: &Browser) -> Result<()> {
    for (theme, ground) in [("dark", "rgb(18, 24, 30)"), ("light", "rgb(255, 255, 255)")] {
        let page = Page::open(browser, Form::Packed, &format!("#embed=1&theme={theme}"))?;
        let found = page.session().run("return getComputedStyle(document.body).backgroundColor", json!([]))?;
        ensure!(found == ground, "theme={theme} has the ground {found}");
    }
    Ok(())
}

/// Answer, tables and pictures of the example take two sheets of A4.
pub fn print(browser: &Browser) -> Result<()> {
    if browser.engine != Engine::Chromium {
        // The other drivers print with margins of their own.
        return Ok(());
    }
    let page = Page::open(browser, Form::Packed, "#all")?;
    page.until("the fleet is drawn", || {
        Ok(page.session().run("return document.querySelectorAll('#fleet-picture path').length > 0", json!([]))? == true)
    })?;
    let sheet = json!({ "page": { "width": 21.0, "height": 29.7 } });
    let pdf = page.session().post("print", sheet)?;
    let pdf = base64::engine::general_purpose::STANDARD.decode(pdf.as_str().unwrap_or_default())?;
    let text = String::from_utf8_lossy(&pdf);
    let sheets = text.matches("/Type /Page\n").count();
    ensure!(sheets == 2, "it takes {sheets} sheets");
    Ok(())
}
