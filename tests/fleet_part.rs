//! What the page says of a fleet. The first example is 400 callers against 4000 calls a minute with a base of 1 s
//! doubled to 8 s: 4000 / 60 = 66.7 a second.

use backoff::report::{FleetPart, FleetPlay, FleetRequest, Request, play, report};

const FULL: &str = "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full";

fn request(link: &str, typed: &[(&str, &str)]) -> Request {
    let typed = typed.iter().map(|(key, text)| (key.to_string(), text.to_string())).collect();
    let fleet = FleetRequest { typed, open: true, now_unix_ms: 0.0 };
    Request { link: link.into(), fleet, ..Request::default() }
}

fn part(link: &str, typed: &[(&str, &str)]) -> FleetPart {
    report(&request(link, typed)).fleet.unwrap()
}

fn lead(link: &str, typed: &[(&str, &str)]) -> String {
    part(link, typed).lead.text()
}

fn played(link: &str, typed: &[(&str, &str)]) -> FleetPlay {
    let mut play = play(&request(link, typed)).unwrap();
    while !play.step(usize::MAX).done {}
    play.finish().unwrap()
}

#[test]
fn the_first_round_that_fits_and_the_base_that_does() {
    // 400, 200, 100, 50 a second; 400 / 66.7 = 6 s, and the next round value above it is 8 s.
    assert_eq!(
        lead(FULL, &[]),
        "400 callers share 66.7 calls a second. Round 4 is the first that fits, in the mean. To fit in round 1 the base \
         must be at least 6 s: 400 ÷ 66.7; the next round value is 8 s."
    );
    // Half of the base is the window.
    let equal = lead(&FULL.replace("full", "equal"), &[]);
    assert!(
        equal.contains("its window must be 6 s wide, 400 ÷ 66.7; with this jitter that takes a base of 12 s."),
        "{equal}"
    );
    let none = lead(&FULL.replace("full", "none"), &[]);
    assert!(none.contains("No round fits. Without jitter all 400 come back within the same 50 ms"), "{none}");
    let few = [("callers", "60"), ("enforced", "sliding")];
    assert!(lead(FULL, &few).ends_with("The first round fits, in the mean."));
    assert!(lead(FULL, &[("callers", "1e12")]).contains("No round fits."));
}

#[test]
fn some_fleets_need_no_schedule_and_some_have_none() {
    assert!(lead(FULL, &[("callers", "60")]).ends_with("with any jitter or none: one second admits 66."));
    assert!(lead(FULL, &[("enforced", "minute")]).contains("All 400 pass on the first retry, with any jitter or none"));
    assert!(lead(FULL, &[("allowance", "0")]).contains("nobody gets through"));
    assert!(lead(FULL, &[("enforced", "bucket"), ("burst", "0.5")]).contains("nobody gets through"));
    assert!(lead("base=1s&retries=0", &[]).starts_with("Nothing is retried"));
}

#[test]
fn rounds_stand_beside_the_allowance() {
    let rounds = part(FULL, &[]).working.unwrap().rounds;
    let rows: Vec<_> = rounds.rows.iter().map(|row| (row.rate.text.as_str(), row.verdict.as_str())).collect();
    let over = ["6 times over", "3 times over", "1.5 times over", "fits", "fits"];
    let expected: Vec<_> = ["400/s", "200/s", "100/s", "50/s", "50/s"].into_iter().zip(over).collect();
    assert_eq!(rows, expected);
    assert_eq!(rounds.against, "Against 66.7/s");
    assert_eq!(rounds.rows[2].how.text(), "400 ÷ 4 s");
}

#[test]
fn what_the_mean_hides_is_said() {
    let remarks: Vec<String> = part(FULL, &[]).working.unwrap().remarks.iter().map(|words| words.text()).collect();
    // 400 - 66.7 - 133.3 = 200 are left for round 3, over 4 s.
    assert!(remarks[0].contains("200 callers would be left for round 3: 50 a second"), "{remarks:?}");
    // 1 - 400 / (66.7 × 1) is below 0; 400 / 66.7 / 0.1 = 60 s.
    assert!(remarks[1].contains("0 % here; 90 % takes a first window of 60 s"), "{remarks:?}");
    assert!(
        remarks[2].contains("up to 66 callers fits the first round as it is and looks clean; 400 do not, 6 times over"),
        "{remarks:?}"
    );
}

#[test]
fn demand_above_the_allowance_is_a_subtraction() {
    let said: Vec<String> = part(FULL, &[]).working.unwrap().demand.iter().map(|words| words.text()).collect();
    assert!(
        said[0].contains("8000 a minute wanted − 4000 admitted = 4000 a minute left undone; 40 000 after ten minutes.")
    );
    // x = (1/2)^(1/6) = 0.8909; 0.5 / (1 - x) = 4.583 calls each; 8000 × 4.583 = 36 665.
    assert!(said[1].contains("refused with probability 89.1 %"), "{said:?}");
    assert!(said[1].contains("makes 4.58 calls and 36 700 a minute"), "{said:?}");
    let within = part(FULL, &[("demand", "4000")]).working.unwrap().demand;
    assert!(within[0].text().starts_with("4000 a minute wanted is no more than the 4000 admitted."));
}

#[test]
fn a_hint_for_all_brings_all_back_together() {
    let of = |text: &str, hint: &str| {
        let fleet = FleetRequest { typed: [("hint".into(), hint.into())].into(), open: true, now_unix_ms: 0.0 };
        let report = report(&Request { text: text.into(), fleet, ..Request::default() });
        report.fleet.unwrap().working.unwrap().hint.iter().map(|words| words.text()).collect::<Vec<_>>().join(" ")
    };
    let urllib3 = "from urllib3.util import Retry\nretry = Retry(total=3, backoff_factor=0.5, backoff_jitter=1)\n";
    let said = of(urllib3, "2m");
    assert!(said.contains("waits the hint instead of its own wait, 6 h at most"), "{said}");
    assert!(said.contains("All 400 given 2 min come back together 2 min later"), "{said}");
    // 400 / 66.7.
    assert!(said.contains("Up to 6 s added at random, 400 ÷ 66.7"), "{said}");
    assert!(of(urllib3, "1d").contains("come back together 6 h later"));
    let unknown =
        of("from tenacity import *\n@retry(stop=stop_after_attempt(3), wait=wait_fixed(1))\ndef f(): ...\n", "30");
    assert!(unknown.contains("not known"), "{unknown}");
}

#[test]
fn what_cannot_be_used_is_said_at_its_field() {
    let refused = [
        ("callers", "0", "At least one"),
        ("callers", "-4", "Less than nothing"),
        ("callers", "1.5", "whole number"),
        ("callers", "1e20", "More than can be counted"),
        ("callers", "many", "is no number"),
        ("callers", "", "Empty"),
        ("allowance", "-1", "Less than nothing"),
        ("allowance", "NaN", "is no number"),
        ("allowance", "1e301", "More than can be computed with"),
        ("spread", "50", "50 of what?"),
        ("spread", "soon", "is no time"),
        ("burst", "x", "is no number"),
        ("demand", "lots", "is no number"),
        ("hint", "tomorrow", "Not a hint"),
        ("seed", "-1", "whole number"),
    ];
    for (key, text, about) in refused {
        let part = part(FULL, &[("enforced", "bucket"), (key, text)]);
        let field = part.fields.iter().find(|field| field.key == key).unwrap();
        assert!(field.problem.contains(about), "{key}={text}: {}", field.problem);
        assert_eq!(field.value, text);
    }
}

#[test]
fn the_fleet_that_was_given_is_in_the_link_and_comes_back() {
    let link = report(&request(FULL, &[("callers", "8"), ("spread", "20 ms")])).link;
    assert_eq!(link, format!("{FULL}&callers=8&spread=20%20ms"));
    // Its keys are no keys of the policy.
    assert!(
        report(&Request { link, ..Request::default() }).findings.iter().all(|finding| finding.code.starts_with("BJ"))
    );
}

#[test]
fn what_is_closed_is_not_worked_out() {
    let closed = Request { link: FULL.into(), ..Request::default() };
    let part = report(&closed).fleet.unwrap();
    assert!(part.working.is_none() && part.lead.text().contains("Round 4"));
}

#[test]
fn the_same_fleet_under_each_jitter() {
    let played = played(FULL, &[]);
    let rows: Vec<_> = played.rows.iter().map(|row| (row.id, row.mean.text.as_str(), row.own)).collect();
    let expected = [("full", "11.5 s", true), ("decorrelated", "21.7 s", false), ("equal", "17.3 s", false)];
    assert_eq!(rows, [&expected[..], &[("none", "23 s", false)]].concat());
    // 67 or 66 of 400 pass in each of five rounds: 333 of them, and 67 of 400 give up.
    let none = &played.rows[3];
    assert_eq!((none.calls.as_str(), none.busiest.as_str(), none.gave_up.as_str()), ("1734", "400", "16.8 %"));
    // 1421.7 of 4000 runs of another program.
    let calls: f64 = played.rows[0].calls.parse().unwrap();
    assert!((calls - 1421.7).abs() < 3.0, "{calls}");
    assert!(played.runs.text().starts_with("400 runs, seed 1."));
    // All come in the first second, which admits 66 whole calls of its 66.7.
    assert!(played.first.text().contains("334 of 400 first retries are refused on average"), "{}", played.first.text());
}

#[test]
fn the_picture_keeps_to_its_box_and_counts_what_leaves_it() {
    let picture = played(FULL, &[]).picture;
    let labels = |id: &str| {
        let series = picture.series.iter().find(|series| series.id == id).unwrap();
        series.labels.iter().map(|label| label.text.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(labels("none"), ["no jitter: 400 together after 1 s", "333", "267", "200", "134"]);
    assert!(labels("full")[0].starts_with("full jitter: "));
    let own = &picture.series[0];
    assert!(own.own && own.line.starts_with("M0 100") && own.line.ends_with("V100") && own.band.ends_with('Z'));
    assert_eq!(picture.height, "calls a second, counted in steps of 100 ms");
    let windows = played(FULL, &[("bins", "windows")]).picture;
    assert_eq!(windows.height, "calls a second, counted in steps of 1 s");
}

#[test]
fn at_an_equal_mean_all_wait_as_long() {
    let rows = played(FULL, &[("mean", "equal")]).rows;
    assert!(rows.iter().all(|row| row.mean.text == "11.5 s"));
}

#[test]
fn same_seed_same_words() {
    let of = |seed: &str| played(FULL, &[("seed", seed), ("callers", "40")]).outcome.text();
    assert_eq!(of("18446744073709551615"), of("18446744073709551615"));
}

#[test]
fn nothing_is_played_where_nothing_comes_or_too_many() {
    assert!(play(&request("base=1s&retries=0", &[])).is_none());
    assert!(play(&request(FULL, &[("callers", "1000001")])).is_none());
    assert!(part(FULL, &[("callers", "1000001")]).working.unwrap().unplayed.text().starts_with("Not played out"));
    assert!(play(&request(FULL, &[("callers", "x")])).is_none());
    // A fleet that nobody leaves, and one without end.
    assert_eq!(played(FULL, &[("allowance", "0")]).rows[0].last.text, "nobody");
    let endless = played("base=1s&retries=unlimited&jitter=full", &[("allowance", "0"), ("callers", "2")]);
    assert!(endless.outcome.text().contains("100 % were still waiting after 1000 retries"));
}
