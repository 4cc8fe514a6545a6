//! Every rule fires where it says and nowhere near; a fix is one; real configurations are not scolded.

#[path = "golden/files.rs"]
mod files;

use backoff::finding::{Finding, Severity};
use backoff::library::neutral::decoded;
use backoff::library::{Choice, all, read, read_link, write};
use backoff::report::{FindingRow, Report, Request, report};
use backoff::rule::{Beside, RULES, findings, rank};
use files::files;
use std::collections::BTreeMap;

/// The page for an example: a link with all that it holds, as the page opens it, or a text.
fn shown(example: &str) -> Report {
    if !example.contains('&') || example.contains('\n') {
        return report(&Request { text: example.into(), ..Request::default() });
    }
    let pairs = example.split('&').filter_map(|pair| pair.split_once('=')).map(|(k, v)| (k.to_string(), v.to_string()));
    let mut request = Request { link: example.into(), ..Request::default() };
    for (key, value) in pairs {
        match key.as_str() {
            "callers" | "allowance" => request.fleet.typed.insert(key, value),
            "call-time" => request.assumed.insert(key, value),
            _ if key.starts_with("limit-") => request.assumed.insert(key, value),
            _ => None,
        };
    }
    report(&request)
}

/// The rules that the page shows for an example, which has no error of its own.
fn of_example(example: &str) -> Vec<&'static str> {
    let findings = shown(example).findings;
    let error = findings.iter().find(|f| f.severity == Severity::Error);
    assert!(error.is_none(), "{example}: {error:?}");
    findings.iter().map(|f| f.code).filter(|code| code.starts_with("BJ")).collect()
}

#[test]
fn codes_and_names_are_unique() {
    let codes: std::collections::BTreeSet<_> = RULES.iter().map(|rule| rule.code).collect();
    let names: std::collections::BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!((codes.len(), names.len()), (RULES.len(), RULES.len()));
}

#[test]
fn every_rule_fires_on_its_examples_alone_and_is_silent_beside_them() {
    let mut problems = Vec::new();
    for rule in RULES {
        assert!(!rule.fires.is_empty() && !rule.silent.is_empty(), "{}: no examples", rule.code);
        for example in rule.fires {
            let fired = of_example(example);
            if fired != [rule.code] {
                problems.push(format!("{} expected alone, not {fired:?}, on {example}", rule.code));
            }
        }
        for example in rule.silent {
            if of_example(example).contains(&rule.code) {
                problems.push(format!("{} fires on {example}", rule.code));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Every text of the golden cases and of the libraries' examples.
fn texts() -> Vec<(String, String)> {
    let files = files();
    let cases = files.iter().flat_map(|file| {
        file.cases.iter().filter_map(|case| Some((file.library.clone(), case["input"].as_str()?.to_string())))
    });
    let examples =
        all().flat_map(|library| library.examples.iter().map(|e| (library.id.to_string(), e.text.to_string())));
    cases.chain(examples).collect()
}

/// How bad a finding is: the less, the worse.
fn harm(finding: &Finding) -> (Severity, usize) {
    (finding.severity, rank(finding.code))
}

#[test]
fn a_fix_removes_its_finding_and_brings_no_worse_one() {
    let mut problems = Vec::new();
    let mut offered = BTreeMap::new();
    for (library, text) in texts() {
        for reading in read(&text, &Choice::default()) {
            let before = findings(&reading.policy, Beside::default(), |_| None, |_| true);
            for finding in &before {
                let Some(fix) = &finding.fix else { continue };
                *offered.entry(finding.code).or_insert(0u32) += 1;
                let after = findings(fix, Beside::default(), |_| None, |_| true);
                let new = |f: &&Finding| before.iter().all(|old| old.code != f.code);
                let stays = after.iter().find(|f| f.code == finding.code);
                let worse = after.iter().filter(new).find(|f| harm(f) <= harm(finding));
                for bad in stays.into_iter().chain(worse) {
                    problems.push(format!("{} leaves {} in {library}: {text}", finding.code, bad.code));
                }
            }
        }
    }
    println!("fixes offered: {offered:?}");
    assert!(offered.values().sum::<u32>() > 200, "{offered:?}");
    assert!(problems.is_empty(), "{}:\n{}", problems.len(), problems.join("\n"));
}

/// A fix is what its library can say, wherever it can say one; written back, it does what it was offered for.
#[test]
fn a_fix_written_for_its_library_removes_its_finding_and_brings_no_worse_one() {
    let mut problems = Vec::new();
    let (mut written, mut lossy) = (BTreeMap::new(), 0u32);
    let page = |text: &str, block| report(&Request { text: text.into(), block, ..Request::default() }).findings;
    for (library, text) in texts() {
        for (block, reading) in read(&text, &Choice::default()).iter().enumerate() {
            if reading.library.write.is_empty() {
                continue;
            }
            let before = page(&text, block);
            for (finding, fix) in before.iter().filter_map(|finding| Some((finding, finding.fix.as_ref()?))) {
                let fixed = read_link(&decoded(&fix.value)).policy;
                let back = write(&fixed, reading.library.id);
                if !back.losses.is_empty() {
                    lossy += 1;
                    continue;
                }
                *written.entry(finding.code).or_insert(0u32) += 1;
                let after = page(&back.text, 0);
                let stays = after.iter().find(|f| f.code == finding.code);
                let new = |f: &&FindingRow| before.iter().all(|old| old.code != f.code);
                let harm = |row: &FindingRow| (row.severity, rank(row.code));
                let worse = after.iter().filter(new).find(|f| harm(f) <= harm(finding));
                for bad in stays.into_iter().chain(worse) {
                    let said = bad.message.text();
                    problems.push(format!("{} leaves {said} in {library}: {text}\n{}", finding.code, back.text));
                }
            }
        }
    }
    println!("fixes written: {written:?}; {lossy} that their library has no words for");
    assert!(written.values().sum::<u32>() > 120, "{written:?}");
    assert!(problems.is_empty(), "{}:\n{}", problems.len(), problems.join("\n"));
}

/// Taking a fix on the page: its finding is gone, the form holds what the fix says, the link too.
#[test]
fn a_fix_is_taken_with_one_click() {
    for rule in RULES {
        for example in rule.fires {
            let before = shown(example);
            let Some(fix) = before.findings.iter().find(|f| f.code == rule.code).and_then(|f| f.fix.clone()) else {
                continue;
            };
            let text = if example.contains('&') && !example.contains('\n') { "" } else { example };
            let request =
                Request { text: text.into(), link: fix.value.clone(), taken: fix.value.clone(), ..Request::default() };
            let after = report(&request);
            assert!(after.findings.iter().all(|f| f.code != rule.code), "{} stays: {}", rule.code, after.link);
            assert!(!fix.text.is_empty(), "{}: {fix:?}", rule.code);
            assert_eq!(after.link, fix.value);
            assert_eq!(after.own, !text.is_empty());
        }
    }
}

/// The widest jitter is offered, or the widest that the library can say.
#[test]
fn a_jitter_is_offered_that_the_library_has() {
    for (text, offered, own) in [
        (
            "import pRetry from 'p-retry';\nawait pRetry(run, { retries: 5, minTimeout: 500 });\n",
            "jitter 0 to +100 %",
            true,
        ),
        (
            "from retrying import retry\n\n@retry(stop_max_attempt_number=4, wait_fixed=2000)\ndef call(): ...\n",
            "jitter 0 to +2 s",
            true,
        ),
        ("base: 1s\nfactor: 2\ncap: 8s\nretries: 5\n", "jitter full", false),
        ("curl --retry 5 https://example.com\n", "jitter full", false),
    ] {
        let findings = shown(text).findings;
        let finding = findings.iter().find(|finding| finding.code == "BJ006").expect(text);
        assert_eq!(finding.fix.as_ref().map(|fix| fix.text.as_str()), Some(offered), "{text}");
        assert_eq!(finding.help.text().contains("the library itself"), own, "{text}");
    }
}

/// What a fix leaves as it is, it does not offer.
#[test]
fn an_offer_names_what_changes_alone() {
    let text =
        "const retry = require('retry');\nretry.operation({ retries: 7, maxTimeout: 10000, randomize: true });\n";
    let findings = shown(text).findings;
    let finding = findings.iter().find(|finding| finding.code == "BJ007").expect("waits that gather on the cap");
    assert_eq!(finding.fix.as_ref().map(|fix| fix.text.as_str()), Some("cap order before"));
}

/// Rules that speak of more than a fifth of the configurations that people write, and why they still do.
const COMMON: &[(&str, &str)] = &[(
    "BJ006",
    "half of what people write holds no jitter, and no text says that it has one caller; a small fleet silences it",
)];

#[test]
fn what_people_write_is_not_scolded() {
    let mut warnings = BTreeMap::new();
    let mut rules = BTreeMap::new();
    let mut errors = Vec::new();
    let mut cases = 0u32;
    for file in files() {
        for case in file.cases.iter().filter(|case| case["kind"] == "typical") {
            cases += 1;
            let found =
                report(&Request { text: case["input"].as_str().unwrap().into(), ..Request::default() }).findings;
            let of = |severity| found.iter().filter(move |f| f.severity == severity);
            errors.extend(of(Severity::Error).map(|f| format!("{}: {}", file.library, f.message.text())));
            *warnings.entry(of(Severity::Warning).count()).or_insert(0u32) += 1;
            found.iter().filter(|f| f.code.starts_with("BJ")).for_each(|f| *rules.entry(f.code).or_insert(0u32) += 1);
        }
    }
    let mean = warnings.iter().map(|(n, of)| *n as f64 * f64::from(*of)).sum::<f64>() / f64::from(cases);
    println!("{cases} typical cases; warnings each: {warnings:?}, {mean:.2} on average; rules: {rules:?}");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(mean < 2.0, "{mean} warnings on average");
    for (code, n) in rules.iter().filter(|(_, n)| **n * 5 > cases) {
        assert!(COMMON.iter().any(|(common, why)| common == code && !why.is_empty()), "{code} fires on {n} of {cases}");
    }
}
