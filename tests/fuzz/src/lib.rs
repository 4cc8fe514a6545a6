//! What must hold of any input: each function here takes bytes, and panics where it does not.
//!
//! Texts are taken as they are, so that what a fuzzer keeps can be read and pasted; [`mutate`] makes new ones out of the
//! golden cases. Policies are made of bytes by [`policy`].

#[path = "../../sound/mod.rs"]
#[allow(missing_docs)]
mod sound;
#[path = "../../spans/mod.rs"]
#[allow(missing_docs)]
mod spans;
#[path = "../../written/mod.rs"]
#[allow(missing_docs)]
mod written;

mod hash;
pub mod mutate;
pub mod policy;

use backoff::distribution::{Options, Percentile, total_wait};
use backoff::duration::{self, Unit};
use backoff::format;
use backoff::library::neutral::decoded;
use backoff::library::{self, Choice, Library};
use backoff::notation;
use backoff::policy::{Policy, check};
use backoff::report::{self, Request};
use backoff::retry_after;
use backoff::schedule;
use sound::sound;
use std::borrow::Cow;

/// A target.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it does with an input.
    pub run: fn(&[u8]),
    /// The time that it may take beside that for each byte, ms.
    pub ms: f64,
}

/// All of them. The law of a total is drawn where it cannot be computed, and a page that is opened with all its parts
/// computes some of those.
pub const TARGETS: [Target; 7] = [
    Target { name: "read", run: read, ms: 10.0 },
    Target { name: "notations", run: notations, ms: 10.0 },
    Target { name: "durations", run: durations, ms: 10.0 },
    Target { name: "link", run: link, ms: 500.0 },
    Target { name: "schedule", run: schedule, ms: 10.0 },
    Target { name: "totals", run: totals, ms: 1_000.0 },
    Target { name: "written", run: written, ms: 10.0 },
];

fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// Any text is read, to places inside it and to policies that can be handed back and have a schedule.
pub fn read(data: &[u8]) {
    let text = text(data);
    for reading in library::read(&text, &Choice::default()) {
        let spans = reading.findings.iter().filter_map(|f| f.span).chain(reading.origins.iter().filter_map(|o| o.span));
        for span in spans.chain([reading.place.span]) {
            assert!(text.get(span.start..span.end).is_some(), "{span:?} is no part of the text");
        }
        let json = serde_json::to_string(&reading.policy).expect("a policy is JSON");
        let back = check::from_json(&json);
        assert_eq!(back.as_ref(), Ok(&reading.policy), "{} gives a policy that is refused", reading.library.id);
        sound(&reading.policy, &schedule::schedule(&reading.policy, 20));
    }
}

/// Any text becomes items that stand in it.
pub fn notations(data: &[u8]) {
    spans::check(&notation::read(&text(data)));
}

/// Any text is a time or not; a time is written as one that is read back.
pub fn durations(data: &[u8]) {
    let text = text(data);
    for unit in [None, Some(Unit::Nanosecond), Some(Unit::Millisecond), Some(Unit::Second), Some(Unit::Week)] {
        let Ok(time) = duration::parse(&text, unit) else { continue };
        let shown = (format::short(time.ms), format::plain(time.ms));
        if time.ms.is_finite() && time.ms >= 0.0 {
            let written = format::written(time.ms, " ");
            let back = duration::parse(&written, None).expect("what is written is a time").ms;
            assert!((back - time.ms).abs() <= time.ms * 1e-15, "{} ms, {shown:?}: {written} is {back} ms", time.ms);
        }
    }
    if let Ok(hint) = retry_after::parse(&text, 1.7e12) {
        assert!(hint.wait_ms(1.7e12) >= 0.0, "{hint:?}");
    }
    let _ = format::Quantity::words(&text);
}

/// Any address is answered, and what the page makes of it is an address of the same policy.
pub fn link(data: &[u8]) {
    let text = text(data);
    let first = report::report(&opened(&text, data.len()));
    let again = report::report(&opened(&first.link, data.len()));
    assert_eq!(again.link, first.link, "the link of a link is another");
    if !first.link.is_empty() {
        assert_eq!(again.answer.text, first.answer.text, "{}", first.link);
    }
}

/// What the page asks for when it is opened by an address.
fn opened(link: &str, size: usize) -> Request {
    let keys = report::link_keys();
    let said: Vec<(String, String)> =
        link.split('&').filter_map(|pair| pair.split_once('=')).map(|(k, v)| (decoded(k), decoded(v))).collect();
    let value =
        |name: &str| said.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default();
    let of = |names: &[&str]| said.iter().filter(|(key, _)| names.contains(&key.as_str())).cloned().collect();
    // One part of the page or another is open: all at once take several times as long.
    let open = size % 4;
    let formats = ["summary", "markdown", "text", "csv", "json", "settings", "configuration", "svg", "png", "embed"];
    let mut request = Request { link: link.into(), assumed: of(&keys.assumed), ..Request::default() };
    request.fleet.typed = of(&keys.fleet);
    request.fleet.open = open == 0;
    request.compare.open = open == 1;
    request.compare.link = value("with");
    request.layers.open = open == 2;
    request.layers.list = value("layers");
    request.take.open = open == 3;
    request.take.format = formats[size / 4 % formats.len()].into();
    request
}

/// Any policy that is accepted has a schedule whose numbers agree with each other.
pub fn schedule(data: &[u8]) {
    let Ok(policy) = check::from_json(&policy::json(data)) else { return };
    let schedule = schedule::schedule(&policy, 50);
    sound(&policy, &schedule);
    let _ = schedule::last_waits(&policy, 3);
    let longest = schedule::longest_wait(&policy);
    assert!(longest >= 0.0, "the longest wait is {longest}");
    if let (Some(waits), Some(elapsed)) = (schedule.total.bound_ms, schedule::worst_elapsed(&policy, 0.0)) {
        assert!(waits <= elapsed * (1.0 + 1e-9) + 1e-9, "{waits} ms of waits in {elapsed} ms");
    }
}

/// The law of its total is a law.
pub fn totals(data: &[u8]) {
    let Ok(policy) = check::from_json(&policy::json(data)) else { return };
    let total = total_wait(&policy, &Options { within_ms: vec![0.0, 1_000.0], ..Options::default() });
    let ascending = |percentiles: &[Percentile]| percentiles.is_sorted_by(|a, b| a.ms <= b.ms);
    assert!(ascending(&total.percentiles) && ascending(&total.elapsed), "{total:?}");
    assert!(total.within.iter().all(|w| (0.0..=1.0).contains(&w.p)), "{:?}", total.within);
}

/// What is written for a library is read back as the same policy, but for what is said to be lost.
pub fn written(data: &[u8]) {
    let policies: Vec<Policy> = match data {
        [0, bytes @ ..] => check::from_json(&policy::json(bytes)).into_iter().collect(),
        _ => library::read(&text(data), &Choice::default()).into_iter().map(|r| r.policy).take(3).collect(),
    };
    let writers: Vec<&Library> = library::all().filter(|library| !library.write.is_empty()).collect();
    for (n, policy) in policies.iter().enumerate() {
        // One library a policy, which the input decides: all of them take a hundred times as long.
        let library = writers[(hash::of(data) as usize + n) % writers.len()];
        let problems = written::problems(policy, library);
        assert!(problems.is_empty(), "{}: {}\n{policy:?}", library.id, problems.join("\n"));
    }
}
