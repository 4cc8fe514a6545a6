//! What the page says, for texts, forms and links. Sums are worked out beside each case.

use backoff::library;
use backoff::report::{Field, Report, Request, report};

fn of_text(text: &str) -> Report {
    report(&Request { text: text.into(), ..Request::default() })
}

fn of_link(link: &str) -> Report {
    report(&Request { link: link.into(), ..Request::default() })
}

/// The seed's policy with one field typed over.
fn typed(key: &str, text: &str) -> Report {
    let link = "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full".into();
    report(&Request { link, edits: [(key.to_string(), text.to_string())].into(), ..Request::default() })
}

fn field<'r>(report: &'r Report, key: &str) -> &'r Field {
    report.fields.iter().find(|field| field.key == key).unwrap()
}

fn figure(report: &Report) -> &str {
    report.answer.figure.as_ref().map_or("", |figure| &figure.value.text)
}

const TENACITY: &str = "from tenacity import retry, stop_after_attempt, wait_random_exponential

@retry(wait=wait_random_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))
def create_invoice(order): ...
";

#[test]
fn the_example_is_answered_in_one_sentence() {
    let report = of_text(TENACITY);
    // 1 + 2 + 4 + 8 + 8 = 23; half of it by symmetry.
    let sentence = "Tenacity 9: 6 calls, the first and 5 retries; waits at most 23 s in total, 11.5 s typically.";
    assert_eq!(report.answer.text, sentence);
    assert_eq!(figure(&report), "23 s");
    assert!(report.answer.sum.text().starts_with("1 + 2 + 4 + 8 + 8 s: "));
    assert_eq!(report.link, "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full");
}

#[test]
fn every_field_says_where_its_value_came_from() {
    let report = of_text(TENACITY);
    let source = |key| field(&report, key).source.text();
    assert_eq!(source("base"), "multiplier=1, line 3");
    assert_eq!(source("factor"), "not written; exp_base is 2 in Tenacity 9.2.1");
    assert_eq!(source("cap"), "max=8, line 3");
    assert_eq!(source("retries"), "stop_after_attempt(6), line 3; waits after the first call: 5 attempts make 6 calls");
    let marked: Vec<&str> = report.marks.iter().map(|mark| mark.span.of(TENACITY)).collect();
    assert!(marked.contains(&"multiplier=1") && marked.contains(&"max=8") && marked.contains(&"stop_after_attempt(6)"));
}

#[test]
fn the_table_shows_each_wait_with_its_rule_and_its_picture() {
    let table = of_text(TENACITY).table.unwrap();
    let last = table.rows.last().unwrap();
    let cells = [&last.attempt, &last.min.text, &last.max.text, &last.mean.text, &last.so_far.text];
    assert_eq!(cells, ["5", "0 s", "8 s", "4 s", "23 s"]);
    assert_eq!(last.shaped.text(), "1 s × 2⁴ = 16 s, cut to 8 s");
    assert_eq!(table.rows[3].shaped.text(), "1 s × 2³ = 8 s, at the cap");
    // The scale ends at 1.09 times the cap: 1 / 1.09 = 0.9174.
    assert_eq!((last.from, last.to, last.middle), (0.0, 91.74, Some(45.87)));
    assert_eq!(table.axis.cap.unwrap().label, "cap 8 s");
}

#[test]
fn several_blocks_are_listed_and_one_is_chosen() {
    let text = "resilience4j.retry.instances:\n  inventory:\n    maxAttempts: 5\n    waitDuration: 500ms\n    \
                enableExponentialBackoff: true\n    exponentialBackoffMultiplier: 2\n  payment:\n    maxAttempts: 3\n    \
                waitDuration: 2s\n";
    let report = of_text(text);
    // 0.5 + 1 + 2 + 4 = 7.5.
    assert_eq!(
        report.answer.text,
        "Resilience4j 2, inventory: 5 calls, the first and 4 retries; waits 7.5 s in total, always."
    );
    let rows: Vec<_> = report.blocks.iter().map(|b| (b.label.as_str(), b.place.as_str(), b.answer.as_str())).collect();
    assert_eq!(rows, [("inventory", "line 2", "5 calls, always 7.5 s"), ("payment", "line 7", "3 calls, always 4 s")]);
    let second = backoff::report::report(&Request { text: text.into(), block: 1, ..Request::default() });
    assert_eq!(figure(&second), "4 s");
}

#[test]
fn what_never_stops_has_words_in_the_place_of_a_number() {
    let report = of_text("@retry(wait=wait_random_exponential(max=60))\ndef poll(): ...\n");
    assert!(report.answer.text.starts_with("Tenacity 9: never stops."), "{}", report.answer.text);
    assert_eq!(figure(&report), "no bound");
    // Means of 1, 2, 4, 8, 16, 32 s and then 60 s, halved: 31.5 s for 6, then (3600 - 31.5) / 30 = 118.95.
    assert_eq!(report.answer.beside[0].value.text, "124 retries");
    assert_eq!(report.answer.sum.text(), "Each wait is up to 60 s from retry 7 on, 30 s on average.");
    assert!(report.findings.iter().any(|finding| finding.code == "BJ001"));
}

#[test]
fn nothing_to_read_and_nothing_found_are_said() {
    assert!(of_text(" \n").answer.text.starts_with("Nothing to read yet."));
    assert!(of_text("Dear all, lunch is at noon.").answer.text.starts_with("Nothing about retries was found"));
}

#[test]
fn a_number_without_a_unit_is_a_question() {
    let report = typed("base", "30");
    let base = field(&report, "base");
    assert_eq!(base.source.text(), "30 of what?");
    assert_eq!(base.choices, ["30 ms", "30 s"]);
    assert!(!base.wrong && !base.good);
    assert_eq!(report.held, "The answer still uses the base of 1 s until you choose.");
    assert_eq!(figure(&report), "23 s");
    assert!(field(&typed("base", "0"), "base").good);
}

#[test]
fn the_last_good_text_holds_while_another_is_typed() {
    let mut request = Request { link: "base=1s&factor=2&retries=2".into(), ..Request::default() };
    request.edits = [("base".to_string(), "2 xs".to_string())].into();
    request.held = [("base".to_string(), "2s".to_string())].into();
    // 2 + 4.
    assert_eq!(figure(&report(&request)), "6 s");
}

#[test]
fn what_a_field_cannot_take_is_refused_at_the_field() {
    let refused = [
        ("base", "-1s", "cannot be negative"),
        ("base", "-1", "cannot be negative"),
        ("base", "NaN", "is no time"),
        ("base", "inf", "is no time"),
        ("base", "1e308s", "More than can be computed with"),
        ("base", "soon", "is no time this page knows"),
        ("base", "", "Empty"),
        ("cap", "8 parsecs", "is no time this page knows"),
        ("factor", "two", "must be a number"),
        ("factor", "-2", "negative"),
        ("factor", "NaN", "number"),
        ("retries", "1.5", "whole number"),
        ("retries", "-1", "negative"),
        ("retries", "", "a number, or unlimited"),
        ("jitter", "some", "must be none"),
        ("jitter", "±x%", "must be none"),
        ("delays", "1s, soon", "is no time this page knows"),
        ("delays", ";", "At least one delay"),
        ("backoff", "cubic", "must be one of"),
        ("base", "1s&cap=2s", "no place in a value"),
    ];
    for (key, text, about) in refused {
        let report = typed(key, text);
        let field = field(&report, key);
        assert!(field.wrong && !field.good, "{key}={text}: {field:?}");
        assert!(field.source.text().contains(about), "{key}={text}: {}", field.source.text());
        assert_eq!(figure(&report), "23 s", "{key}={text}");
    }
}

#[test]
fn what_is_odd_but_means_something_is_computed() {
    let cases = [
        // 1 + 0.5 + 0.25 + 0.125 + 0.0625.
        ("factor", "0.5", "1.94 s", "BJ004"),
        ("factor", "1e9", "33 s", ""),
        ("cap", "500ms", "2.5 s", "BJ003"),
        ("base", "0", "0 s", "BJ002"),
        ("retries", "0", "0 s", ""),
        // 1 + 2 + 4 + 999 999 997 × 8 s are 7 999 999 983 s, 92 592.6 days.
        ("retries", "1000000000", "92 600 d", ""),
        ("retries", "1e9", "92 600 d", ""),
        ("retries", "unlimited", "no bound", "BJ001"),
        ("cap", "", "31 s", ""),
        // 1.2 + 2.4 + 4.8 + 9.6 + 9.6.
        ("jitter", "±20%", "27.6 s", ""),
        // 1 + 2 + 4 + 8 + 8, each with up to a second more.
        ("jitter", "+0..1s", "28 s", ""),
        ("deadline", "10s", "10 s", ""),
        // 0 + 2 + 4 + 8 + 8.
        ("first-wait", "0", "22 s", ""),
        // 3 + 3 + 4 + 8 + 8.
        ("floor", "3s", "26 s", ""),
        // 1 + 2 + 3 + 4 + 5: the increment starts as the base.
        ("backoff", "linear", "15 s", ""),
        // 1 + 5 + 8 + 8 + 8.
        ("delays", "1s, 5 s; 30s", "30 s", ""),
    ];
    for (key, text, worst, code) in cases {
        let report = typed(key, text);
        assert!(field(&report, key).good, "{key}={text}: {}", field(&report, key).source.text());
        assert_eq!(figure(&report), worst, "{key}={text}");
        let codes: Vec<&str> = report.findings.iter().map(|f| f.code).filter(|c| c.starts_with("BJ")).collect();
        assert!(code.is_empty() || codes.contains(&code), "{key}={text}: {codes:?}");
    }
}

#[test]
fn one_field_changes_one_thing() {
    let mut request = Request { text: TENACITY.into(), ..Request::default() };
    request.edits = [("base".to_string(), "6 s".to_string())].into();
    let report = report(&request);
    // 6 + 8 + 8 + 8 + 8.
    assert_eq!(figure(&report), "38 s");
    assert!(report.own && report.answer.text.starts_with("Your own policy: "));
    assert_eq!(field(&report, "base").source.text(), "yours; the paste says multiplier=1, that is 1 s");
    assert_eq!(field(&report, "cap").source.text(), "max=8, line 3");
}

#[test]
fn an_empty_form_assumes_nothing() {
    let mut request = Request::default();
    request.edits.insert("base".into(), "1 s".into());
    assert!(report(&request).answer.text.starts_with("Not complete yet"));
    request.edits.insert("retries".into(), "3".into());
    request.edits.insert("factor".into(), "2".into());
    assert_eq!(figure(&report(&request)), "7 s");
}

#[test]
fn a_link_says_what_it_does_not_understand() {
    let about = |link: &str| {
        let report = of_link(link);
        // What the rules say of the policy is not about the link.
        let read = report.findings.iter().filter(|f| !f.code.starts_with("BJ"));
        let said: Vec<String> = read.map(|f| f.message.text()).collect();
        (figure(&report).to_string(), said.join(" "))
    };
    let (worst, said) = about("v=1&base=1s&factor=2&retries=2&colour=red");
    assert_eq!(worst, "3 s");
    assert!(said.contains("colour"), "{said}");
    assert!(about("v=7&base=1s&retries=1").1.contains("version `7`".replace('`', "").as_str()));
    assert!(about("v=1&base=1s&base=2s&retries=1").1.contains("base twice"));
    assert!(!about("v=1&base=oops&retries=1").1.is_empty());
    assert_eq!(about("v=1&base=1s&retries=1&embed=1&theme=dark"), ("1 s".into(), String::new()));
    assert_eq!(about("v=1&base=1s&retries=1&jitter=%C2%B120%25").0, "1.2 s");
    assert_eq!(about("v=1&base=1s&retries=1&jitter=±20%").0, "1.2 s");
    for broken in ["", "&&&=&", "v=1&%%%=%zz&base=%C3%28", "retries=5", "base", "\u{202e}=\u{1f600}"] {
        of_link(broken);
    }
}

#[test]
fn links_of_all_examples_come_back() {
    for library in library::all() {
        for example in library.examples {
            let report = of_text(example.text);
            let back = of_link(&report.link);
            assert_eq!(back.link, report.link, "{}", library.id);
            assert_eq!(figure(&back), figure(&report), "{}", library.id);
            assert!(back.findings.iter().all(|f| f.code.starts_with("BJ")), "{}: {:?}", library.id, back.findings);
        }
    }
}

#[test]
fn long_schedules_fold_and_endless_ones_go_on() {
    let table = of_link("base=1s&factor=1.1&cap=60s&retries=250").table.unwrap();
    assert_eq!((table.rows.len(), table.last.len()), (50, 50));
    assert_eq!(table.fold.unwrap().text, "Attempts 51 to 200 are folded; the totals count them.");
    assert_eq!(table.last.last().unwrap().attempt, "250");
    assert_eq!(table.last.last().unwrap().shaped.text(), "1 s × 1.1²⁴⁹, cut to 60 s");
    // A published figure: 3 h 36 min 52 s for these numbers.
    assert_eq!(table.total.max.text, "3 h 36 min 52 s");
    let link = "base=1s&factor=1.1&cap=60s&retries=250".into();
    let all = report(&Request { link, all_rows: true, ..Request::default() }).table.unwrap();
    assert!(all.rows.len() == 250 && all.fold.is_none());
    let huge = of_link("base=1s&factor=2&cap=8s&retries=1000000000").table.unwrap();
    assert_eq!(huge.last.last().unwrap().attempt, "1 000 000 000");
    let endless = of_link("base=1s&factor=2&cap=8s&retries=unlimited").table.unwrap();
    assert_eq!(endless.fold.unwrap().text, "And so on, for as long as calls fail.");
}

#[test]
fn the_four_jitters_stand_side_by_side() {
    let link = "base=1s&factor=2&cap=8s&retries=5&jitter=full".to_string();
    let report = report(&Request { link, patient: true, ..Request::default() });
    let rows: Vec<_> = report.jitters.iter().map(|r| [r.name, &r.best.text, &r.typical.text, &r.worst.text]).collect();
    assert_eq!(rows[0], ["none", "23 s", "23 s", "23 s"]);
    assert_eq!(rows[1], ["full", "0 s", "11.5 s", "23 s"]);
    // From 11.5 to 23, and 17.25 in the middle.
    assert_eq!(rows[2], ["equal", "11.5 s", "17.3 s", "23 s"]);
    // 5 × 1 and 3 + 4 × 8.
    assert_eq!((rows[3][1], rows[3][3]), ("5 s", "35 s"));
    assert!(report.jitters[1].own);
}

#[test]
fn places_count_as_a_text_area_does() {
    let text = format!("# \u{1f600} ä\n{TENACITY}");
    let report = of_text(&text).utf16(&text);
    let units: Vec<u16> = text.encode_utf16().collect();
    let base = field(&report, "base").span.unwrap();
    assert_eq!(String::from_utf16(&units[base.start..base.end]).unwrap(), "multiplier=1");
}
