//! Old links keep working: one of each kind, as it was once copied, with what it has to say for ever.

use backoff::report::{Report, Request, link_keys, report};

fn of_link(link: &str) -> Report {
    // As the page opens an address: the policy's keys by the core, the others taken out by name.
    let keys = link_keys();
    let mut request = Request { link: link.into(), ..Request::default() };
    for (key, value) in link.split('&').filter_map(|pair| pair.split_once('=')) {
        if keys.assumed.contains(&key) {
            request.assumed.insert(key.into(), value.into());
        } else if keys.fleet.contains(&key) {
            request.fleet.typed.insert(key.into(), value.into());
        }
    }
    report(&request)
}

/// A link of each kind, the large number of its page, and calls.
const OLD: &[(&str, &str, &str)] = &[
    // 1 + 2 + 4 + 8 + 8.
    ("v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full", "23 s", "6 calls"),
    // 3 × 5.
    ("v=1&backoff=constant&base=5s&retries=3&jitter=none", "15 s", "4 calls"),
    // 1 + 3 + 5.
    ("v=1&backoff=linear&base=1s&increment=2s&retries=3&jitter=equal", "9 s", "4 calls"),
    // 1 + 4 + 9.
    ("v=1&backoff=polynomial&base=1s&power=2&retries=3&jitter=none", "14 s", "4 calls"),
    // 1 + 1 + 2 + 3 + 5.
    ("v=1&backoff=fibonacci&base=1s&retries=5&jitter=none", "12 s", "6 calls"),
    // 1 + 5 + 30.
    ("v=1&delays=1s,5s,30s&retries=3&jitter=none", "36 s", "4 calls"),
    // (1 + 2 + 4) × 1.2.
    ("v=1&base=1s&factor=2&retries=3&jitter=±20%25", "8.4 s", "4 calls"),
    // 1 + 2 + 4, each and at most 1 more.
    ("v=1&base=1s&factor=2&retries=3&jitter=+0..1s", "10 s", "4 calls"),
    // 3 + 8 + 8: three times the one before, cut to the cap.
    ("v=1&base=1s&factor=2&cap=8s&retries=3&jitter=decorrelated", "19 s", "4 calls"),
    // 2 + 2 + 4 + 5, the floor under the first, the cap over the last.
    ("v=1&base=1s&factor=2&floor=2s&cap=5s&cap-order=both&retries=4&jitter=none", "13 s", "5 calls"),
    // 0 + 1 + 2, cut at 2.
    (
        "v=1&base=1s&factor=2&first-wait=0s&call-timeout=3s&retries=3&deadline=2s&overrun=shorten&jitter=none",
        "2 s",
        "up to 4 calls",
    ),
    ("v=1&base=1s&factor=2&retries=unlimited&jitter=none", "no bound", "never stops"),
    // What has no key of its own: 4, then 4 × 2 and 4 × 4.
    (
        "v=1&base=4s&factor=2&retries=3&jitter=none&deadline=72h&overrun=shorten&clock=first-failure&rest=%7B%22phases%22:%5B%7B\
         %22retries%22:1,%22backoff%22:%7B%22kind%22:%22constant%22,%22delayMs%22:4000.0%7D%7D%5D%7D",
        "28 s",
        "up to 4 calls",
    ),
    // A law of each wait: 0.4 + 0.8 + 1 + 1.
    (
        "v=1&after=repeat-last&retries=4&jitter=none&rest=%7B%22waits%22:%5B%5B%7B%22minMs%22:200.0,%22maxMs%22:400.0%7D%5D,\
         %5B%7B%22minMs%22:400.0,%22maxMs%22:800.0%7D%5D,%5B%7B%22minMs%22:800.0,%22maxMs%22:1000.0%7D%5D%5D%7D",
        "3.2 s",
        "5 calls",
    ),
];

#[test]
fn each_kind_of_policy_says_what_it_said() {
    for (link, figure, calls) in OLD {
        let report = of_link(link);
        assert_eq!(report.answer.figure.unwrap().value.text, *figure, "{link}");
        assert!(report.answer.text.to_lowercase().starts_with(calls), "{link}: {}", report.answer.text);
        assert!(report.findings.iter().all(|f| !f.code.starts_with("link") && f.code != "unknown-key"), "{link}");
        // What it is copied as now says the same again.
        assert_eq!(of_link(&report.link).answer.text, report.answer.text, "{link} became {}", report.link);
        assert_eq!(of_link(&report.link).link, report.link);
    }
}

#[test]
fn what_is_assumed_beside_the_policy_comes_back() {
    let old =
        "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full&limit-gateway=10s&limit-own=40s&call-time=2s&target=30s";
    let report = of_link(old);
    let total = report.total.unwrap();
    // 23 + 6 × 2 = 35.
    assert!(total.lead.text().ends_with("35 s at worst."), "{}", total.lead.text());
    let limit = |key| total.limits.iter().find(|row| row.field.key == key).unwrap().field.value.clone();
    assert_eq!(
        (limit("limit-gateway"), limit("limit-own"), total.target.value),
        ("10s".into(), "40s".into(), "30s".into())
    );
    for part in old.split('&') {
        assert!(report.link.split('&').any(|now| now == part), "{part} is not in {}", report.link);
    }
}

#[test]
fn the_fleet_comes_back() {
    let old = "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full&callers=1000&allowance=100&per=second&enforced=bucket&burst=10\
               &spread=20ms&demand=500&hint=45&seed=7&mean=equal&bins=windows";
    let report = of_link(old);
    let fleet = report.fleet.unwrap();
    assert!(fleet.lead.text().starts_with("1000 callers share 100 calls a second."), "{}", fleet.lead.text());
    let field = |key| fleet.fields.iter().find(|field| field.key == key).unwrap().value.clone();
    let values = ["enforced", "burst", "spread", "demand", "hint", "seed"].map(field);
    assert_eq!(values, ["bucket", "10", "20ms", "500", "45", "7"]);
    assert_eq!(report.link, old);
}

#[test]
fn what_is_compared_and_what_is_layered_come_back() {
    let policy = "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full";
    let of = |link: &str| report(&Request { text: link.into(), ..Request::default() });
    let compared = format!("{policy}&with=base=1s%26factor=2%26cap=8s%26retries=2%26jitter=none");
    let report = of(&compared);
    // 5 retries against 2.
    let lead = report.compare.unwrap().lead.text();
    assert_eq!(report.link, compared);
    assert!(lead.contains('3'), "{lead}");
    let layered = format!("{policy}&layers=Job:backoff=constant%26base=10s%26retries=1%26jitter=none;this");
    let report = of(&layered);
    // (1 + 1) × (1 + 5).
    let lead = report.layers.unwrap().lead.text();
    assert!(lead.starts_with("One request can become 12 calls"), "{lead}");
    assert_eq!(report.link, layered);
}

#[test]
fn keys_about_the_page_are_its_own_and_others_are_named() {
    let report = of_link("v=1&base=1s&retries=3&factor=2&embed=1&theme=dark&all");
    assert!(report.findings.iter().all(|f| f.code.starts_with("BJ")), "{:?}", report.findings);
    let strange = of_link("v=1&base=1s&factor=2&retries=3&colour=red&retries=9");
    let said: Vec<String> = strange.findings.iter().map(|f| f.message.text()).collect();
    assert!(said.iter().any(|said| said.starts_with("colour is not a key")), "{said:?}");
    assert!(said.iter().any(|said| said.starts_with("The link says retries twice")), "{said:?}");
    let newer = of_link("v=2&base=1s&factor=2&retries=3");
    assert!(newer.findings.iter().any(|f| f.code == "link-version"), "{:?}", newer.findings);
}

#[test]
fn no_key_has_two_meanings() {
    let keys = link_keys();
    let mut all = [keys.page, keys.assumed, keys.fleet].concat();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}
