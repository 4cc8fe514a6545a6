//! What is beside the one policy: a fix that one click takes, a second policy, the layers around it.

use anyhow::{Context, Result, ensure};
use page_tests::engine::Browser;
use page_tests::page::{Form, Page};
use serde_json::json;

const NO_JITTER: &str = "base=1s factor=2 cap=8s retries=5 jitter=none";

/// One click takes a fix: the finding is gone, the form and the link follow, and the paste is one click away.
pub fn fix(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    page.fill(&page.field("Retry configuration")?, NO_JITTER)?;
    page.until("the missing jitter is said", || Ok(page.text("#findings")?.contains("No jitter")))?;
    let session = page.session();
    page.press(&page.named("button", "Take jitter full")?)?;
    page.until("the finding is gone", || Ok(!page.text("#findings")?.contains("No jitter")))?;
    let jitter = session.run("return document.getElementById('f-jitter').value", json!([]))?;
    ensure!(jitter == json!("full"), "the form says {jitter}");
    page.until("the link follows", || Ok(session.address()?.contains("jitter=full")))?;
    page.press(&page.named("button", "Back to the paste")?)?;
    page.until("the finding is back", || Ok(page.text("#findings")?.contains("No jitter")))?;
    page.has_no_error()
}

/// A second paste is compared, is in the link as numbers, and comes back from it.
pub fn compare(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let session = page.session();
    page.press(&page.named("summary", "A second policy, the difference, both schedules")?)?;
    page.fill(&page.field("Second configuration")?, "# secretword\nbase=1s factor=2 cap=4s retries=5 jitter=none")?;
    // 1 + 2 + 4 + 4 + 4 = 15, always; the example waits 23 s at worst.
    let differs = |page: &Page| {
        let rows = page.table("Difference")?;
        let worst = rows.iter().find(|row| row[0] == "Worst-case total wait").context("no worst case")?;
        Ok(worst[1..] == ["23 s", "15 s", "−8 s"])
    };
    page.until("the worst cases are compared", || differs(&page))?;
    let pairs = page.text("#compare-pairs")?;
    ensure!(pairs.contains("0 s to 8 s") && pairs.contains("4 s"), "the schedules say {pairs:?}");
    page.until("the link holds it", || Ok(session.address()?.contains("&with=base=1s")))?;
    let address = session.address()?;
    ensure!(!address.contains("secretword"), "the link is {address}");
    let link = address.split_once('#').map_or("", |(_, link)| link);
    let again = Page::open(browser, Form::Packed, &format!("#{link}"))?;
    again.until("the opened link compares them", || differs(&again))?;
    again.has_no_error()
}

/// Layers are picked, multiply, are in the link, and are taken away again.
pub fn layers(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let session = page.session();
    ensure!(page.text("#layers-lead")?.contains("6 calls"), "{}", page.text("#layers-lead")?);
    page.press(&page.named("summary", "The layers, outermost first, and others to add")?)?;
    let count = page.field("Or a layer of so many retries")?;
    page.fill(&count, "2")?;
    page.until("it can be added", || page.named("button", "Add a layer of 2 retries").map(|_| true))?;
    page.press(&page.named("button", "Add a layer of 2 retries")?)?;
    // 3 × 6 = 18.
    page.until("calls multiply", || Ok(page.text("#layers-lead")?.contains("18 calls: (1 + 2) × (1 + 5) = 18")))?;
    page.until("the link holds them", || Ok(session.address()?.contains("&layers=")))?;
    let address = session.address()?;
    let link = address.split_once('#').map_or("", |(_, link)| link);
    let again = Page::open(browser, Form::Packed, &format!("#{link}"))?;
    again.until("the opened link multiplies", || Ok(again.text("#layers-lead")?.contains("18 calls")))?;
    again.press(&again.named("button", "Remove: A layer of its own")?)?;
    again.until("one layer is left", || Ok(again.text("#layers-lead")?.contains("This layer alone makes 6 calls")))?;
    again.has_no_error()
}
