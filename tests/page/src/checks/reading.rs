//! Text or fields go in, the schedule and the worst case come out. Expected numbers are added up in the comments.

use anyhow::{Result, ensure};
use page_tests::engine::Browser;
use page_tests::page::{Form, Page};
use serde_json::json;

/// The forms that a reader has on disk.
const ON_DISK: [Form; 2] = [Form::Packed, Form::Sources];

/// The example that the page opens with: base 1 s, factor 2, cap 8 s, 5 attempts, full jitter.
pub fn example(browser: &Browser) -> Result<()> {
    for form in ON_DISK {
        let page = Page::open(browser, form, "")?;
        // 1 + 2 + 4 + 8 + 8 = 23
        shows(&page, "23 s", &["0 s"; 5], &["1 s", "2 s", "4 s", "8 s", "8 s"])?;
        page.has_no_error()?;
    }
    Ok(())
}

/// The first click into the text selects it, so that what comes next replaces it.
pub fn replaced_after_click(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    page.session().click(&page.field("Retry configuration")?)?;
    page.session().press("base=2s factor=2 retries=2")?;
    // 2 + 4 = 6
    page.until("the worst case is 6 s", || Ok(page.worst_case()? == "6 s"))?;
    page.has_no_error()
}

/// Five fields typed with keys.
pub fn five_fields(browser: &Browser) -> Result<()> {
    for form in ON_DISK {
        let page = Page::open(browser, form, "")?;
        for (name, value) in [("Base", "250 ms"), ("Factor", "3"), ("Cap", "5 s"), ("Attempts", "4")] {
            page.retype(&page.field(name)?, value)?;
        }
        page.choose(&page.field("Jitter")?, "equal")?;
        // Delays 250, 750, 2250 and 6750 ms, the last cut to 5 s; equal jitter begins at half: 8.25 s at most.
        let (min, max) = (["0.125 s", "0.375 s", "1.125 s", "2.5 s"], ["0.25 s", "0.75 s", "2.25 s", "5 s"]);
        shows(&page, "8.25 s", &min, &max)?;
        page.has_no_error()?;
    }
    Ok(())
}

/// A state machine of AWS Step Functions.
pub fn step_functions(browser: &Browser) -> Result<()> {
    let text = r#"{
  "StartAt": "Charge",
  "States": {
    "Charge": {
      "Type": "Task",
      "Resource": "arn:aws:states:::lambda:invoke",
      "Retry": [{ "ErrorEquals": ["States.ALL"], "IntervalSeconds": 2, "BackoffRate": 3, "MaxAttempts": 3 }],
      "End": true
    }
  }
}"#;
    // 2 + 6 + 18 = 26
    let waits = ["2 s", "6 s", "18 s"];
    paste(browser, text, "Step Functions", "26 s", &waits)
}

/// A decorator of Python's Tenacity.
pub fn tenacity(browser: &Browser) -> Result<()> {
    let text = "@retry(wait=wait_exponential(multiplier=1, max=10), stop=stop_after_attempt(6))\ndef f(): ...\n";
    // Six attempts are five waits: 1 + 2 + 4 + 8 + 10 = 25, the last cut from 16.
    let waits = ["1 s", "2 s", "4 s", "8 s", "10 s"];
    paste(browser, text, "Tenacity", "25 s", &waits)
}

/// Text that would be markup or script is text, wherever it is shown.
pub fn hostile_text(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let mark = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>";
    let text = format!("@retry(stop=stop_after_attempt(3), wait=wait_fixed(2), \"{mark}\"=1, key_{mark}=2)\n{mark}\n");
    page.fill(&page.field("Retry configuration")?, &text)?;
    page.until("the answer is read aloud", || Ok(!page.text("[role=status]")?.is_empty()))?;
    let made = "return [document.title === 'owned', document.querySelectorAll('main img:not(#take-image), main script').length]";
    let made = page.session().run(made, json!([]))?;
    ensure!(made == json!([false, 0]), "the text became markup: {made}");
    page.has_no_error()
}

/// A megabyte is read, and the page still answers.
pub fn megabyte(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let line = "@retry(wait=wait_fixed(2), stop=stop_after_attempt(3))\ndef f(): ...\n\n";
    let area = page.field("Retry configuration")?;
    page.fill(&area, &line.repeat(1_000_000 / line.len()))?;
    // Three attempts are two waits of 2 s.
    page.until("the worst case is 4 s", || Ok(page.worst_case()? == "4 s"))?;
    page.fill(&area, "base=3s factor=2 retries=1 jitter=none")?;
    page.until("the worst case is 3 s", || Ok(page.worst_case()? == "3 s"))?;
    page.has_no_error()
}

/// Pastes a text without jitter and expects the answer to name its library, this total and these waits.
fn paste(browser: &Browser, text: &str, library: &str, total: &str, waits: &[&str]) -> Result<()> {
    for form in ON_DISK {
        let page = Page::open(browser, form, "")?;
        page.fill(&page.field("Retry configuration")?, text)?;
        shows(&page, total, waits, waits)?;
        let names_both = |answer: String| answer.contains(library) && answer.contains(total);
        page.until("the answer is read aloud", || Ok(names_both(page.text("[role=status]")?)))?;
        page.has_no_error()?;
    }
    Ok(())
}

/// Waits until the page shows this worst case, then compares the schedule's columns.
fn shows(page: &Page, total: &str, min: &[&str], max: &[&str]) -> Result<()> {
    page.until(&format!("the worst case is {total}"), || Ok(page.worst_case()? == total))?;
    let attempts: Vec<String> = (1..=max.len()).map(|n| n.to_string()).collect();
    for (head, expected) in [("Min", min), ("Max", max)] {
        let (rows, cells): (Vec<String>, Vec<String>) = page.column("Schedule", head)?.into_iter().unzip();
        ensure!(cells == expected, "column {head} shows {cells:?}, not {expected:?}");
        ensure!(rows == attempts, "the rows are {rows:?}");
    }
    Ok(())
}
