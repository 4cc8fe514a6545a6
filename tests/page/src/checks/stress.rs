//! The page under stress: it is edited at random, loses its core and its workers, and is opened twice.

use anyhow::{Context, Result, bail, ensure};
use page_tests::engine::{Browser, Engine, Theme};
use page_tests::page::{Form, Page, root};
use page_tests::webdriver::Element;
use serde_json::json;
use std::time::Instant;

/// How many edits are made at random, unless `EDITS` says.
const EDITS: u64 = 100;

/// How many edits are one call.
const AT_ONCE: u64 = 50;

/// A fleet that plays for long enough to be stopped.
const LONG_FLEET: &str = "#v=1&base=1s&factor=2&retries=9&jitter=full&callers=1000000&allowance=100000&per=second&all";

/// Random edits end in no error, and after them the page and its core are as large as before. The edits are the same in
/// every run.
pub fn edits(browser: &Browser) -> Result<()> {
    let count = std::env::var("EDITS").ok().and_then(|n| n.parse().ok()).unwrap_or(EDITS);
    let page = Page::open(browser, Form::Probed, "")?;
    let (mut sizes, start) = (Vec::new(), Instant::now());
    let rounds = (count / AT_ONCE).max(2);
    for round in 0..rounds {
        let wrong = page.session().run_async(include_str!("../../edits.js"), json!([round + 1, AT_ONCE]))?;
        ensure!(wrong == json!([]), "after the edits, in round {round}: {wrong:#}");
        // What the first edits bring, code and tables, stays. A tenth of all is enough to bring it.
        if round + 1 == rounds.div_ceil(10) || round + 1 == rounds {
            sizes.push(size(&page)?);
        }
    }
    let [[nodes, core, heap], [nodes_now, core_now, heap_now]] = sizes[..] else { bail!("{sizes:?}") };
    if count > EDITS {
        let took = start.elapsed().as_secs();
        println!(
            "    {} edits in {took} s; nodes {nodes} and then {nodes_now}, the core's memory {core:.1} MB and then {core_now:.1} MB, JavaScript's {heap:.1} MB and then {heap_now:.1} MB",
            rounds * AT_ONCE
        );
    }
    ensure!(nodes_now <= nodes * 2.0, "it has {nodes_now} nodes and not {nodes}");
    ensure!(core_now <= core.max(16.0) * 1.5, "the core has {core_now} MB, before {core} MB");
    ensure!(heap_now <= heap + 10.0, "JavaScript has {heap_now} MB, before {heap} MB");
    Ok(())
}

/// After a reset: how many nodes the page has, and the memory of the core and, where an engine tells, of JavaScript, in MB.
fn size(page: &Page) -> Result<[f64; 3]> {
    page.press(&page.named("button", "Reset")?)?;
    page.until("it is the example again", || Ok(page.worst_case()? == "23 s"))?;
    let size = page.session().run_async(
        "await new Promise((settled) => setTimeout(settled, 1000));
         globalThis.gc?.();
         return [document.querySelectorAll('*').length, probe.memory.buffer.byteLength / 1e6,
                 (performance.memory?.usedJSHeapSize ?? 0) / 1e6];",
        json!([]),
    )?;
    let number = |n: usize| size[n].as_f64().with_context(|| size.to_string());
    Ok([number(0)?, number(1)?, number(2)?])
}

/// The core stops in the middle of an answer: the page says so, keeps the text, and answers the next edit.
pub fn trap(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Probed, "")?;
    let area = page.field("Retry configuration")?;
    for total in ["3 s", "5 s"] {
        let text = format!("base={} factor=2 retries=1 jitter=none", total.replace(' ', ""));
        page.session().run("probe.traps = 1", json!([]))?;
        page.fill(&area, &text)?;
        page.until("it says that the core stopped", || Ok(page.text("#banner")?.contains("stopped on this text")))?;
        ensure!(page.has_no_error().is_err(), "what it says is not shown");
        let kept = page.session().run("return arguments[0].value", json!([area.to_value()]))?;
        ensure!(kept == json!(text), "the text is now {kept}");
        page.fill(&area, &format!("{text} "))?;
        page.until("it answers again", || Ok(page.worst_case()? == total))?;
        // What it said is over.
        page.has_no_error()?;
    }
    Ok(())
}

/// A worker that is killed while it plays is given up with one click, or by the next edit, and another one plays.
pub fn killed(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Probed, LONG_FLEET)?;
    let session = page.session();
    let kill = |tells: bool| session.run("probe.kill(arguments[0])", json!([tells])).map(drop);
    let busy = || Ok(session.run("return !document.getElementById('fleet-busy').hidden", json!([]))? == json!(true));
    page.until("the fleet is being played", busy)?;
    kill(false)?;
    page.press(&page.named("button", "Cancel")?)?;
    page.until("it is given up", || Ok(!busy()?))?;
    page.press(&page.named("button", "Simulate again")?)?;
    page.until("it is played again", busy)?;
    kill(false)?;
    page.fill(&page.field("Callers")?, "1000")?;
    page.until("a smaller fleet is played", || {
        Ok(!busy()? && page.text("#fleet-runs")?.contains("run") && page.text("#fleet-lead")?.contains("1000"))
    })?;
    // What a browser tells of when it ends a worker by itself.
    page.fill(&page.field("Callers")?, "1000000")?;
    page.until("the large fleet is played", busy)?;
    kill(true)?;
    page.until("it says so", || Ok(page.text("#banner")?.contains("the core stopped")))?;
    page.until("nothing is played", || Ok(!busy()?))?;
    page.fill(&page.field("Retry configuration")?, "base=3s factor=2 retries=1 jitter=none")?;
    page.until("it still answers", || Ok(page.worst_case()? == "3 s"))
}

/// Two tabs hold two policies.
pub fn tabs(browser: &Browser) -> Result<()> {
    let session = &browser.session;
    let first = session.window()?;
    let page = Page::open(browser, Form::Packed, "")?;
    page.fill(&page.field("Retry configuration")?, "base=3s factor=2 retries=1 jitter=none")?;
    page.until("the first says 3 s", || Ok(page.worst_case()? == "3 s"))?;
    let second = session.new_tab()?;
    session.enter_window(&second)?;
    let other = Page::open(browser, Form::Packed, "")?;
    let started = other.worst_case()?;
    other.fill(&other.field("Retry configuration")?, "base=5s factor=2 retries=1 jitter=none")?;
    other.until("the second says 5 s", || Ok(other.worst_case()? == "5 s"))?;
    other.has_no_error()?;
    session.close_window()?;
    session.enter_window(&first)?;
    ensure!(started == "23 s", "a second tab starts with {started}");
    ensure!(page.worst_case()? == "3 s", "the first now says {}", page.worst_case()?);
    page.has_no_error()
}

/// Back and forward show what each address says.
pub fn history(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "#v=1&base=3s&factor=2&retries=1&jitter=none")?;
    let session = page.session();
    // A link that is clicked, because a jump that nobody asked for is none to go back from.
    let link = "const link = document.createElement('a');
         link.href = '#v=1&base=5s&factor=2&retries=1&jitter=none';
         link.textContent = 'another policy';
         document.body.prepend(link);
         return link;";
    session.click(&Element::from_value(&session.run(link, json!([]))?)?)?;
    let says = |total: &str| page.until(&format!("it says {total}"), || Ok(page.worst_case()? == total));
    says("5 s")?;
    session.post("back", json!({}))?;
    says("3 s")?;
    session.post("forward", json!({}))?;
    says("5 s")?;
    // To a section and back is no other policy.
    session.run("document.querySelector('a[href=\"#fleet\"]').click()", json!([]))?;
    page.until("the link is kept", || Ok(session.address()?.contains("base=5s")))?;
    session.post("back", json!({}))?;
    says("5 s")?;
    page.has_no_error()
}

/// Zoomed to 200 % and 400 %, and with text of twice the size, nothing lies beyond the page or is cut off.
pub fn large(browser: &Browser) -> Result<()> {
    let cut = "const shown = (e) => e.checkVisibility() && e.getClientRects().length && !e.closest('svg, .vh, select');
         const scrolls = (e) => e && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
         const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
         const beyond = (e) => {
             const range = document.createRange();
             range.selectNodeContents(e);
             const { right } = range.getBoundingClientRect();
             const box = e.getBoundingClientRect();
             const hidden = getComputedStyle(e).overflowX !== 'visible' && right > box.right + 1;
             return hidden || right > innerWidth + 1;
         };
         return [...document.querySelectorAll('body *')].filter((e) => shown(e) && own(e) && !scrolls(e) && beyond(e))
             .map((e) => `${e.tagName} ${e.id} ${e.textContent.slice(0, 60)}`);";
    let large = match browser.engine {
        Engine::Webkit => None,
        engine => Some(Browser::start(engine, Theme::Large, &root())?),
    };
    let zoomed = [(browser, 640, "16px"), (browser, 320, "16px")];
    let large = large.iter().flat_map(|large| [(large, 1280, "32px"), (large, 640, "32px")]);
    for (browser, width, size) in zoomed.into_iter().chain(large) {
        let page = Page::open(browser, Form::Wide(width), "#all")?;
        let session = page.session();
        let letters = session.run("return getComputedStyle(document.documentElement).fontSize", json!([]))?;
        ensure!(letters == size, "the letters are {letters} high, not {size}");
        let beyond = session.run(cut, json!([]))?;
        ensure!(beyond == json!([]), "{width} px, letters of {size}: {beyond:#}");
        let root = "const root = document.documentElement; return root.scrollWidth - root.clientWidth";
        let too_wide = session.run(root, json!([]))?;
        ensure!(too_wide == json!(0), "{width} px, letters of {size}: the page is {too_wide} px too wide");
        page.has_no_error()?;
    }
    Ok(())
}

/// Every control is used, from disk: nothing is requested, and what would be markup stays text in each part of the page.
pub fn everything(browser: &Browser) -> Result<()> {
    let mark =
        "<img src=http://elsewhere.test/x onerror=document.title='owned'><script>document.title='owned'</script>";
    let before = browser.site.requests().len();
    let hostile = mark.replace('%', "%25").replace(' ', "%20");
    let page = Page::open(browser, Form::Packed, &format!("#all&base={hostile}&with=base={hostile}&layers={hostile}"))?;
    let session = page.session();
    let text = format!(
        "@retry(stop=stop_after_attempt(3), wait=wait_fixed(2), \"{mark}\"=1, key_{mark}=2)\ndef f{mark}(): ...\n"
    );
    page.fill(&page.field("Retry configuration")?, &text)?;
    let used = session.run_async(
        "const [mark, text] = args;
         const tell = (control, ...events) =>
             events.forEach((name) => control.dispatchEvent(new Event(name, { bubbles: true })));
         const turn = (ms) => new Promise((done) => setTimeout(done, ms));
         let used = 0;
         // Pressing one of them brings others; the few that undo all the rest come last.
         const last = (e) => Number(['reset', 'back', 'compare-take'].includes(e.id));
         for (const control of [...document.querySelectorAll('input, textarea, select, button, summary')]
                 .sort((a, b) => last(a) - last(b))) {
             if (!control.checkVisibility() || control.disabled || control.readOnly) continue;
             used++;
             if (control.matches('select')) {
                 for (let n = 0; n < Math.min(control.options.length, 3); n++) {
                     control.selectedIndex = n;
                     tell(control, 'input', 'change');
                 }
             } else if (control.matches('textarea, input[type=text]')) {
                 const before = control.value;
                 for (const value of [mark, control.matches('textarea') ? text : before]) {
                     control.value = value;
                     tell(control, 'input');
                 }
             } else {
                 control.click();
                 // What is folded is opened again, for what is in it.
                 if (control.matches('summary')) control.click();
             }
             await turn(0);
         }
         await turn(500);
         const own = '#take-image';
         return [used, document.title === 'owned', document.querySelectorAll(`main img:not(${own}), main script`).length];",
        json!([mark, text]),
    )?;
    ensure!(used[0].as_u64() > Some(60) && used[1] == false && used[2] == 0, "used, owned, made: {used}");
    page.has_no_error()?;
    let asked = browser.site.requests();
    ensure!(asked.len() == before, "it requested {:?}", &asked[before..]);
    Ok(())
}
