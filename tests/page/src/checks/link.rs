//! The policy lives in the address: it comes back from there, and nothing else is in it.

use anyhow::{Result, ensure};
use page_tests::engine::Browser;
use page_tests::page::{Form, Page};

/// A policy typed into the form is the same after a reload, and in a new visit to the link.
pub fn reload(browser: &Browser) -> Result<()> {
    for form in [Form::Packed, Form::Sources] {
        let page = Page::open(browser, form, "")?;
        page.retype(&page.field("Cap")?, "3 s")?;
        // 1 + 2 + 3 + 3 + 3 = 12
        let is_twelve = |page: &Page| Ok(page.worst_case()? == "12 s");
        page.until("the worst case is 12 s", || is_twelve(&page))?;
        let session = page.session();
        page.until("the link holds the cap", || Ok(session.address()?.contains("cap=3s")))?;
        let address = session.address()?;
        session.reload()?;
        page.until("the reloaded page says 12 s", || is_twelve(&page))?;
        ensure!(session.address()? == address, "the link changed to {}", session.address()?);
        let link = address.split_once('#').map_or("", |(_, link)| link);
        let again = Page::open(browser, form, &format!("#{link}"))?;
        again.until("the opened link says 12 s", || is_twelve(&again))?;
        again.has_no_error()?;
    }
    Ok(())
}

/// What is pasted is not in the address.
pub fn no_text(browser: &Browser) -> Result<()> {
    let page = Page::open(browser, Form::Packed, "")?;
    let text = "# secretword\n@retry(wait=wait_exponential(multiplier=2), stop=stop_after_attempt(3))\n";
    page.fill(&page.field("Retry configuration")?, text)?;
    // 2 + 4 = 6
    page.until("the worst case is 6 s", || Ok(page.worst_case()? == "6 s"))?;
    page.until("the link holds the base", || Ok(page.session().address()?.contains("base=2s")))?;
    let address = page.session().address()?;
    ensure!(!address.contains("secretword"), "the link is {address}");
    Ok(())
}
