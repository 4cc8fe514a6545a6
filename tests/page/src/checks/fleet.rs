//! The fleet while it is played out: what a reader does meanwhile.

use anyhow::{Result, ensure};
use page_tests::engine::Browser;
use page_tests::page::{Form, Page};
use page_tests::webdriver::number;
use serde_json::json;

/// A fleet that takes seconds to play.
const LARGE: &str = "#v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full&callers=1000000&allowance=10000";

/// The bar is there; the play has not ended by itself.
fn plays(page: &Page) -> Result<()> {
    page.until("the simulation is under way", || shown(page, "#fleet-busy"))
}

fn shown(page: &Page, selector: &str) -> Result<bool> {
    let script = "return document.querySelector(arguments[0]).checkVisibility()";
    Ok(page.session().run(script, json!([selector]))? == json!(true))
}

fn open<'a>(browser: &'a Browser, link: &str) -> Result<Page<'a>> {
    let page = Page::open(browser, Form::Packed, link)?;
    if !shown(&page, "#fleet-parts")? {
        page.press(&page.named("#fleet-working > summary", &page.text("#fleet-working > summary")?)?)?;
    }
    Ok(page)
}

/// The page goes on drawing while a fleet is played, and answers a cancel within a tenth of a second.
pub fn cancel(browser: &Browser) -> Result<()> {
    let page = open(browser, LARGE)?;
    plays(&page)?;
    let script = "const gaps = [];
        let last = performance.now();
        for (const end = last + 1000; last < end; ) {
            const now = await new Promise(requestAnimationFrame);
            gaps.push(performance.now() - last);
            last = performance.now();
        }
        return gaps.sort((a, b) => a - b)[gaps.length >> 1];";
    let frame_ms = number(&page.session().run_async(script, json!([]))?)?;
    // 60 a second are 16.7 ms; a driver's own clock may halve them.
    ensure!(frame_ms < 34.0, "half of the frames take longer than {frame_ms} ms while a fleet is played");
    plays(&page)?;
    let script = "const busy = document.getElementById('fleet-busy');
        const gone = new Promise((done) => new MutationObserver(() => busy.hidden && done(performance.now()))
            .observe(busy, { attributes: true }));
        const start = performance.now();
        document.getElementById('fleet-cancel').click();
        return (await gone) - start;";
    let cancelled_ms = number(&page.session().run_async(script, json!([]))?)?;
    ensure!(cancelled_ms < 100.0, "a cancel takes {cancelled_ms} ms");
    page.has_no_error()
}

/// What is typed during a play starts it over, and a play goes on where the page is not in sight.
pub fn replay(browser: &Browser) -> Result<()> {
    let page = open(browser, LARGE)?;
    plays(&page)?;
    page.fill(&page.field("Callers")?, "1000")?;
    // Nothing was drawn before: the large fleet had not been played to its end.
    page.until("the smaller fleet is played", || Ok(shown(&page, "#fleet-figure")? && !shown(&page, "#fleet-busy")?))?;
    ensure!(page.text("#fleet-lead")?.starts_with("1000 callers"), "{}", page.text("#fleet-lead")?);
    let small = page.text("#fleet-jitters")?;

    page.fill(&page.field("Callers")?, "300000")?;
    plays(&page)?;
    let session = page.session();
    let own = session.window()?;
    let other = session.new_tab()?;
    session.enter_window(&other)?;
    session.open("about:blank")?;
    session.close_window()?;
    session.enter_window(&own)?;
    page.until("the large fleet is played", || Ok(page.text("#fleet-jitters")? != small))?;
    page.has_no_error()
}
