//! Runs the checks: `cargo run -p page-tests -- [ENGINE…] [WORD]`, all engines and checks unless told.

mod checks;

use page_tests::engine::{Browser, Engine, Theme};
use page_tests::page::root;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<Engine> = words.iter().filter_map(|word| Engine::named(word)).collect();
    let engines = if named.is_empty() { Engine::ALL.to_vec() } else { named };
    let sought = words.iter().find(|word| Engine::named(word).is_none());
    let chosen = checks::ALL.iter().filter(|(name, _)| sought.is_none_or(|word| name.contains(word.as_str())));
    let chosen: Vec<_> = chosen.collect();
    let failed: usize = engines.into_iter().map(|engine| failures(engine, &chosen)).sum();
    if failed == 0 && !chosen.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs checks in one engine and prints how they went; gives how many failed.
fn failures(engine: Engine, checks: &[&checks::Check]) -> usize {
    let name = engine.name();
    let browser = match Browser::start(engine, Theme::Light, &root()) {
        Ok(browser) => browser,
        Err(error) => {
            println!("{name}: {error:#}");
            println!("{name}: 0 passed, {} failed", checks.len());
            return checks.len();
        }
    };
    let mut failed = 0;
    for (title, check) in checks {
        let start = Instant::now();
        let result = check(&browser);
        let took = start.elapsed().as_millis();
        match result {
            Ok(()) => println!("{name}: {title} … ok ({took} ms)"),
            Err(error) => {
                failed += 1;
                println!("{name}: {title} … FAILED ({took} ms)\n    {error:#}");
            }
        }
    }
    println!("{name}: {} passed, {failed} failed", checks.len() - failed);
    failed
}
