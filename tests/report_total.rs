//! What the page says of the total: sentence, table, picture, limits. Sums are worked out beside each case.

use backoff::report::{Fits, LimitRow, Report, Request, TotalPart, report};

const SEED: &str = "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full";

fn assuming(link: &str, assumed: &[(&str, &str)]) -> Report {
    let assumed = assumed.iter().map(|(key, text)| (key.to_string(), text.to_string())).collect();
    report(&Request { link: link.into(), assumed, patient: true, ..Request::default() })
}

fn total(link: &str, assumed: &[(&str, &str)]) -> TotalPart {
    assuming(link, assumed).total.unwrap()
}

fn limit<'t>(total: &'t TotalPart, key: &str) -> &'t LimitRow {
    total.limits.iter().find(|row| row.field.key == key).unwrap()
}

fn verdict(total: &TotalPart, key: &str) -> (Fits, String, String) {
    let verdict = limit(total, key).verdict.as_ref().unwrap();
    (verdict.fits, verdict.words.text(), verdict.calls.text())
}

#[test]
fn waits_and_calls_are_summed_and_held_against_the_deadline() {
    let total = total(&format!("{SEED}&deadline=29s"), &[("call-time", "2s")]);
    // 6 x 2 + 11.5 and 6 x 2 + 23; S_4 <= 15 = 1 + 2 + 4 + 8 leaves time for retry 4 at 29 - 8 = 21; the shares of S_5
    // within 19 and 17 are those of five uniform waits, by inclusion and exclusion.
    let p = |y: f64| {
        let widths = [1.0f64, 2.0, 4.0, 8.0, 8.0];
        let sum: f64 = (0u32..32)
            .map(|set| {
                let chosen: f64 = (0..5).filter(|i| set >> i & 1 == 1).map(|i| widths[i]).sum();
                (-1f64).powi(set.count_ones() as i32) * (y - chosen).max(0.0).powi(5)
            })
            .sum();
        sum / 120.0 / widths.iter().product::<f64>()
    };
    assert_eq!((format!("{:.3}", p(19.0)), format!("{:.3}", p(17.0))), ("0.988".into(), "0.938".into()));
    assert_eq!(
        total.lead.text(),
        "Six calls of 2 s and the waits take 23.5 s typically and 35 s at worst. Under the deadline of 29 s retries 1 \
         to 4 always start, retry 5 starts in 98.8 % of runs, and 93.8 % of runs have all six calls over in time."
    );
    let names: Vec<_> = total.table.iter().map(|line| line.name).collect();
    assert_eq!(names, ["Total wait", "Total elapsed", "Wait under the deadline", "Elapsed under the deadline"]);
    let worst: Vec<_> = total.table.iter().map(|line| line.cells[5].text.as_str()).collect();
    // Retry 5 begins by 29 s at the latest, after 19 s of waits; its call takes 2 s more.
    assert_eq!(worst, ["23 s", "35 s", "19 s", "31 s"]);
    let picture = total.picture.unwrap();
    let line = picture.deadline.unwrap();
    assert_eq!((line.ms, line.label.as_str()), (17_000.0, "29 s deadline"));
    assert_eq!(line.before[0], "93.8 % of runs are done by then");
    assert_eq!(line.after[0], "6.2 % are not");
    assert_eq!(line.ticks, ["17", "29"]);
    let waiting: Vec<_> = picture.rows[0].ticks.iter().map(|tick| tick.label.as_str()).collect();
    assert_eq!(waiting, ["0 s", "5", "10", "15", "20", "23 s"]);
    let elapsed: Vec<_> = picture.rows[1].ticks.iter().map(|tick| tick.label.as_str()).collect();
    assert_eq!(elapsed, ["12 s", "17", "22", "27", "32", "35 s"]);
    assert!(picture.note.text().ends_with("Exact, not simulated."));
}

#[test]
fn limits_are_kept_sometimes_kept_or_missed() {
    let total = total(SEED, &[("call-time", "2s"), ("limit-own", "10s")]);
    let sometimes = (Fits::Sometimes, "fits sometimes: 93.8 % of runs".to_string());
    let (fits, words, calls) = verdict(&total, "limit-gateway");
    assert_eq!((fits, words), sometimes);
    assert_eq!(calls, "Before it retries 1 to 4 always begin, retry 5 begins in 98.8 % of runs.");
    // 60 - 35.
    assert_eq!(verdict(&total, "limit-proxy").1, "fits, 25 s to spare");
    let (fits, words, _) = verdict(&total, "limit-own");
    assert_eq!((fits, words.as_str()), (Fits::Never, "does not fit: 6 calls alone take 12 s"));
    assert_eq!((limit(&total, "limit-own").source, limit(&total, "limit-azure").dated), ("yours", "27 June 2024"));
}

#[test]
fn a_client_that_ends_after_100_s_never_makes_the_fourth_call() {
    // Calls of 5 s with 30 s between them begin at 0, 35, 70 and 105 s.
    let total = total("v=1&backoff=constant&base=30s&retries=3", &[("call-time", "5s")]);
    let (fits, words, calls) = verdict(&total, "limit-httpclient");
    assert_eq!((fits, words.as_str()), (Fits::Never, "does not fit: it takes at least 110 s"));
    assert_eq!(calls, "Before it retries 1 and 2 always begin, retry 3 never begins.");
    assert_eq!(verdict(&total, "limit-azure").1, "fits, 2 min to spare");
}

#[test]
fn a_deadline_makes_it_fit() {
    // 1 + 2 + 4 = 7 s; the wait of 8 s is refused.
    let total = total("v=1&base=1s&factor=2&retries=4&deadline=10s", &[("limit-own", "9s")]);
    assert_eq!(verdict(&total, "limit-own").1, "fits, 2 s to spare");
}

#[test]
fn one_possible_value_is_one_line() {
    let total = total("v=1&backoff=constant&base=2s&retries=3", &[]);
    assert_eq!(total.lead.text(), "The waits take 6 s, always.");
    let picture = total.picture.unwrap();
    assert!(picture.curve.is_empty() && picture.flags.is_empty());
    assert_eq!(picture.stems[0].label, "6 s, always");
}

#[test]
fn what_never_stops_has_no_total() {
    let endless = total("v=1&base=1s&factor=2&cap=8s&retries=unlimited", &[]);
    assert!(endless.lead.text().starts_with("It never stops"));
    assert!(endless.picture.is_none() && endless.table.is_empty());
    let (fits, words, calls) = verdict(&endless, "limit-gateway");
    assert_eq!((fits, words.as_str()), (Fits::Never, "does not fit: it never stops"));
    // 1 + 2 + 4 + 8 + 8 = 23 s; the next wait would end at 31 s.
    assert_eq!(calls, "Before it 6 calls begin.");
    let ended = total("v=1&base=1s&factor=2&cap=8s&retries=unlimited&jitter=full&deadline=60s", &[]);
    assert!(ended.lead.text().starts_with("The deadline of 60 s ends it after "), "{}", ended.lead.text());
    assert!(ended.picture.is_some());
}

#[test]
fn assumptions_are_in_the_link_and_come_back() {
    let report = assuming(SEED, &[("call-time", "2 s"), ("limit-gateway", "30s"), ("limit-proxy", "60 s")]);
    assert_eq!(report.link, format!("{SEED}&limit-gateway=30s&call-time=2s"));
    // The page takes the assumptions out of its address; what is left of them in the policy's link is no unknown key.
    assert!(assuming(&report.link, &[]).findings.iter().all(|finding| finding.code != "unknown-key"));
    let asked = total(SEED, &[("call-time", "2")]);
    assert_eq!(asked.call_time.choices, ["2 ms", "2 s"]);
    assert_eq!(asked.lead.text(), "The waits take 11.5 s typically and 23 s at worst.");
}

#[test]
fn the_timeout_of_a_call_is_offered_and_bounds_it() {
    let timed = format!("{SEED}&call-timeout=5s");
    assert_eq!(total(&timed, &[]).call_time.choices, ["5 s"]);
    let long = total(&timed, &[("call-time", "7s")]);
    // 6 x 5 + 23.
    assert!(long.lead.text().contains("53 s at worst"), "{}", long.lead.text());
}

#[test]
fn slow_numbers_are_left_for_later() {
    let link = "v=1&base=1s&cap=60s&retries=10&jitter=decorrelated";
    let quick = report(&Request { link: link.into(), ..Request::default() });
    let later = quick.total.unwrap();
    assert!(later.settings.is_empty());
    assert!(later.unfinished && quick.unfinished && later.limits.len() == 7);
    assert!(!total(link, &[]).unfinished);
    // Decorrelated waits have a law, under a deadline they are drawn; both are said.
    let note = total(&format!("{link}&deadline=3min"), &[]).picture.unwrap().note.text();
    assert!(
        note.contains("Exact, not simulated. Under the deadline: ") && note.contains(" simulated runs; "),
        "{note}"
    );
}

/// Whatever the numbers, the part says something and no number in its picture is lost.
#[test]
fn odd_numbers_are_drawn_too() {
    let odd = [
        "v=1&base=1s&retries=5&deadline=0s",
        "v=1&base=0s&retries=5",
        "v=1&base=1s&factor=1e9&retries=100000",
        "v=1&base=1s&retries=3&jitter=full&deadline=100ms",
        "v=1&base=1s&retries=3&jitter=full&deadline=1h&overrun=allow",
        "v=1&base=1s&retries=1&jitter=full",
        "v=1&base=8s&cap=8s&retries=1000&jitter=full",
        "v=1&base=1s&cap=1s&cap-order=after&jitter=±50%&retries=4",
        "v=1&base=1s&retries=5&jitter=full&deadline=10s&overrun=shorten",
    ];
    for link in odd {
        for call in ["", "0s", "20s", "1e300s"] {
            let total = total(link, &[("call-time", call)]);
            assert!(!total.lead.text().is_empty(), "{link}");
            assert!(!total.lead.text().contains("NaN") && !total.lead.text().contains("inf"), "{}", total.lead.text());
            if let Some(picture) = total.picture {
                assert!(picture.from_ms < picture.to_ms && picture.to_ms.is_finite(), "{link}");
                let inside = picture.from_ms..=picture.to_ms;
                let shown = picture.curve.iter().map(|point| point.ms).chain(picture.flags.iter().map(|flag| flag.ms));
                assert!(
                    shown.chain(picture.deadline.iter().map(|line| line.ms)).all(|ms| inside.contains(&ms)),
                    "{link}"
                );
                assert!(picture.curve.iter().all(|point| point.per_ms.is_finite()), "{link}");
            }
        }
    }
}
