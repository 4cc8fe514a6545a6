//! Every rule fires where it says and nowhere near.

use backoff::finding::Severity;
use backoff::library::{Choice, all, read, read_link};
use backoff::policy::Policy;
use backoff::rule::{Facts, RULES, Rule};

fn fired(policy: &Policy) -> Vec<&'static Rule> {
    let facts = Facts::of(policy);
    RULES.iter().copied().filter(|rule| (rule.check)(policy, &facts).is_some()).collect()
}

fn of_link(link: &str) -> Vec<&'static str> {
    let reading = read_link(link);
    let error = reading.findings.iter().find(|f| f.severity == Severity::Error);
    assert!(error.is_none(), "{link}: {error:?}");
    fired(&reading.policy).iter().map(|rule| rule.code).collect()
}

#[test]
fn codes_and_names_are_unique_and_in_order() {
    assert!(RULES.windows(2).all(|pair| pair[0].code < pair[1].code));
    let names: std::collections::BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len());
}

#[test]
fn every_rule_fires_on_its_examples_and_is_silent_beside_them() {
    for rule in RULES {
        assert!(!rule.fires.is_empty() && !rule.silent.is_empty(), "{}: no examples", rule.code);
        for link in rule.fires {
            assert!(of_link(link).contains(&rule.code), "{} does not fire on {link}", rule.code);
        }
        for link in rule.silent {
            assert!(!of_link(link).contains(&rule.code), "{} fires on {link}", rule.code);
        }
    }
}

#[test]
fn a_fix_removes_its_finding_and_brings_no_worse_one() {
    for example in all().flat_map(|library| library.examples) {
        for reading in read(example.text, &Choice::default()) {
            let facts = Facts::of(&reading.policy);
            let before: Vec<_> = fired(&reading.policy).iter().map(|rule| rule.code).collect();
            for rule in RULES {
                let Some(fix) = (rule.check)(&reading.policy, &facts).and_then(|hit| hit.fix) else { continue };
                let after = fired(&fix);
                assert!(after.iter().all(|r| r.code != rule.code), "{} stays in {}", rule.code, reading.library.id);
                let worse = after.iter().find(|r| !before.contains(&r.code) && r.severity < rule.severity);
                assert!(
                    worse.is_none(),
                    "{} brings {} in {}",
                    rule.code,
                    worse.map_or("", |r| r.code),
                    reading.library.id
                );
            }
        }
    }
}
