//! The explanation is readable without a script: its figures stand in the page for the example, and are the core's.

use backoff::library;
use backoff::report::{HowLine, Request, report};

const PAGE: &str = include_str!("../index.html");

fn figures(text: &str, fleet: &[(&str, &str)]) -> Vec<HowLine> {
    let mut request = Request { text: text.into(), ..Request::default() };
    request.fleet.typed = fleet.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    report(&request).how
}

/// The example that the page opens with.
fn example() -> &'static str {
    PAGE.split_once("<textarea")
        .and_then(|(_, rest)| rest.split_once('>'))
        .and_then(|(_, rest)| rest.split_once("</textarea>"))
        .unwrap()
        .0
}

#[test]
fn what_stands_in_the_page_is_what_the_core_says_of_the_example() {
    let places = PAGE.matches(" data-how=\"").count();
    let lines = figures(example(), &[]);
    assert_eq!(lines.len(), places);
    for line in lines {
        let place = format!(" data-how=\"{}\">", line.id);
        let (_, rest) = PAGE.split_once(&place).unwrap_or_else(|| panic!("the page has no place for {}", line.id));
        assert_eq!(rest.split_once("</p>").unwrap().0, line.words.text(), "{}", line.id);
    }
}

#[test]
fn the_figures_follow_the_settings() {
    let of = |text, fleet: &[(&str, &str)], id: &str| {
        figures(text, fleet).into_iter().find(|line| line.id == id).map(|line| line.words.text()).unwrap_or_default()
    };
    let plain = "base=2s factor=3 cap=50s retries=3 jitter=equal";
    // 2, 2 + 6, 2 + 6 + 18.
    assert!(of(plain, &[], "lockstep").ends_with("back together after 2 s, 8 s and 26 s."));
    assert_eq!(
        of(plain, &[], "jitters"),
        "Retry 3 here: none 18 s; full 0 s to 18 s; equal 9 s to 18 s; decorrelated 2 s to 50 s."
    );
    let fleet = [("callers", "1000"), ("allowance", "100"), ("per", "second"), ("demand", "150"), ("hint", "20")];
    // 1000 / 100; the first window of equal jitter is half of its base.
    assert_eq!(
        of(plain, &fleet, "base"),
        "1000 callers ÷ 100 a second = 10 s. The first window of this policy is 1 s wide."
    );
    // 1000 / 50 and 1000 / 10.
    assert!(
        of(plain, &fleet, "backlog").contains("1000 ÷ (100 − 50) = 20 s at the least; at nine tenths of it, 100 s.")
    );
    assert!(of(plain, &fleet, "demand").contains("50 a second are left undone, 33.3 % of them"));
    assert!(
        of(plain, &fleet, "hint").starts_with("A hint of 20 s is longer than any wait here, which is 18 s at most")
    );
    assert!(of("base=2s factor=3 retries=3 jitter=none", &[], "cost").contains("has none: all callers wait 26 s."));
    // Every pair that draws from 2, then 4, then 8 slots: 1/2 × 1/4 × 1/8 = 1.5625 %.
    assert!(of(plain, &[], "ethernet").ends_with("1.56 % are still together then."));
}

#[test]
fn no_policy_breaks_the_explanation() {
    for library in library::all() {
        for example in library.examples {
            for line in figures(example.text, &[]) {
                let text = line.words.text();
                assert!(
                    !text.contains("NaN") && !text.contains("inf") && text.ends_with('.'),
                    "{}: {text}",
                    library.id
                );
            }
        }
    }
}
