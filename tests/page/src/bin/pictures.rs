//! Takes pictures of the whole page for people to look at: `cargo run -p page-tests --bin pictures [LINK]`.
//! They go to `tests/page/shots`, which is not kept.

use anyhow::Result;
use page_tests::engine::{Browser, Engine, Theme};
use page_tests::page::{Form, Page, root};
use serde_json::json;

fn main() -> Result<()> {
    let link = std::env::args().nth(1).unwrap_or_default();
    let folder = root().join("tests/page/shots");
    std::fs::create_dir_all(&folder)?;
    for theme in [Theme::Light, Theme::Dark] {
        let browser = Browser::start(Engine::Chromium, theme, &root())?;
        for width in [320, 360, 768, 1280] {
            browser.session.resize(width, 900)?;
            let page = Page::open(&browser, Form::Packed, &link)?;
            let height = page.session().run("return document.documentElement.scrollHeight", json!([]))?;
            // The window's own frame takes some of it.
            browser.session.resize(width, u32::try_from(height.as_u64().unwrap_or(900))? + 200)?;
            let name = format!("{width}-{}.png", if theme == Theme::Dark { "dark" } else { "light" });
            std::fs::write(folder.join(&name), browser.session.screenshot()?)?;
            println!("{}", folder.join(name).display());
        }
    }
    Ok(())
}
