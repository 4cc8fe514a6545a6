//! Every rule fires on its example and on nothing near it.

use backoff::library::read_link;
use backoff::rule::{ALL, findings};

fn codes(link: &str) -> Vec<&'static str> {
    findings(&read_link(link).policy).map(|finding| finding.code).collect()
}

#[test]
fn a_rule_fires_alone_and_stays_silent_near_by() {
    for rule in ALL {
        assert_eq!(codes(rule.fires), [rule.code], "{}", rule.name);
        assert_eq!(codes(rule.silent), [""; 0], "{}", rule.name);
    }
}

#[test]
fn codes_are_used_once() {
    let mut codes: Vec<&str> = ALL.iter().map(|rule| rule.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), ALL.len());
}
