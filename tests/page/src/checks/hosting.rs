//! The page works wherever it is put, and reaches for nothing.

use anyhow::{Result, ensure};
use page_tests::engine::Browser;
use page_tests::page::{Form, Page};
use page_tests::site::HOME;
use serde_json::json;

/// Each form opens, computes, and notices no error.
pub fn every_form(browser: &Browser) -> Result<()> {
    for form in Form::ALL {
        let page = Page::open(browser, form, "").map_err(|error| error.context(format!("{form:?}")))?;
        let total = page.worst_case()?;
        ensure!(total == "23 s", "{form:?} says {total:?}");
        page.has_no_error()?;
    }
    Ok(())
}

/// In each form the worker starts, plays a fleet to the same numbers, reports progress, and stops when told.
pub fn worker(browser: &Browser) -> Result<()> {
    let script = "const policy = { backoff: { kind: 'exponential', baseMs: 1000, factor: 2 }, capMs: 8000, retries: 5,
                                   jitter: 'full' };
        const fleet = { callers: 400, allowance: 4000, perMs: 60000, runs: 5 };
        let progress = 0;
        const played = await backoff.simulate(policy, fleet, '1', { onProgress: () => progress++ });
        const stop = new AbortController();
        const long = backoff.simulate(policy, { ...fleet, callers: 1000000, runs: 100 }, '1', { signal: stop.signal });
        setTimeout(() => stop.abort(), 50);
        const ended = await long.then(() => 'finished', (error) => error.name);
        return [played.runs, played.calls, played.rounds[0].arrivals, progress > 0, ended];";
    let mut first = None;
    for form in Form::ALL {
        let page = Page::open(browser, form, "")?;
        let played = page.session().run_async(script, json!([])).map_err(|error| error.context(format!("{form:?}")))?;
        let first = first.get_or_insert_with(|| played.clone());
        ensure!(played == *first, "{form:?} plays {played}, {:?} played {first}", Form::ALL[0]);
        // All 400 come once, and again in the first round: nobody is admitted before.
        ensure!(played[0] == 5 && played[2] == 400.0, "{form:?} plays {played}");
        ensure!(played[3] == true && played[4] == "AbortError", "{form:?} plays {played}");
        page.has_no_error()?;
    }
    Ok(())
}

/// Where the site forbids the module the page says so, and its explanation can be read.
pub fn no_wasm(browser: &Browser) -> Result<()> {
    browser.session.open(&format!("{HOME}nowasm/index.html"))?;
    let text = || browser.session.text(&browser.session.first("body")?);
    for _ in 0..100 {
        if text()?.contains("The calculator cannot start here") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let text = text()?;
    ensure!(text.contains("The calculator cannot start here"), "without the module it says {text:?}");
    ensure!(text.contains("400 callers ÷ 66.7 a second = 6 s"), "the explanation is not there: {text:?}");
    ensure!(!text.contains("Worst-case total wait"), "it shows what does not work");
    Ok(())
}

/// The root page says what to run where nothing was built yet.
pub fn unbuilt(browser: &Browser) -> Result<()> {
    browser.session.open(&format!("{HOME}unbuilt/index.html"))?;
    let text = browser.session.text(&browser.session.first("body")?)?;
    ensure!(text.contains("cargo xtask open"), "the unbuilt page says {text:?}");
    Ok(())
}

/// Neither from disk nor in all that the checks before did has the page asked for anything but its own files. The
/// control shows that a request would have been seen.
pub fn no_request(browser: &Browser) -> Result<()> {
    let from_disk = browser.site.requests().len();
    for form in [Form::Packed, Form::Sources] {
        Page::open(browser, form, "")?;
    }
    let all = browser.site.requests();
    ensure!(all.len() == from_disk, "from disk it requested {:?}", &all[from_disk..]);
    let strange: Vec<_> = all.iter().filter(|request| !request.starts_with(&format!("GET {HOME}"))).collect();
    ensure!(strange.is_empty(), "it requested {strange:?}");

    browser.session.open(&format!("{HOME}frame/control"))?;
    let control = "GET http://elsewhere.test/control.png".to_owned();
    ensure!(browser.site.requests().contains(&control), "the proxy did not see {control:?}");
    Ok(())
}
