//! What is run: for each library the texts written for policies of many kinds and for its own examples.

use backoff::library::{Choice, by_id, read, write};
use backoff::policy::{Overrun, Policy};
use backoff::schedule::schedule;

/// Calls after the first that are looked at where nothing ends the retrying; the runners end it there.
pub const MOST: u64 = 12;

/// How often a text with chance in it is run.
const TIMES: u64 = 60;

/// Policies that libraries can or cannot say, in plain numbers.
const POLICIES: &[&str] = &[
    "base=1s factor=2 cap=8s retries=5 jitter=none",
    "base=1s factor=2 cap=8s retries=5 jitter=full",
    "base=1s factor=2 cap=8s retries=4 jitter=equal",
    "base=1s factor=2 cap=6s retries=4 jitter=decorrelated",
    "base=250ms factor=3 retries=3 jitter=none",
    "base=200ms factor=2 cap=2s retries=4 jitter=±20%",
    "base=1s factor=2 retries=4 jitter=-0%..+100%",
    "base=1s factor=2 cap=5s cap-order=after retries=4 jitter=-0%..+100%",
    "backoff=constant base=2s retries=3 jitter=none",
    "backoff=constant base=2s retries=3 jitter=+0s..1s",
    "backoff=constant base=2s retries=3 jitter=full",
    "backoff=linear base=500ms increment=500ms retries=4",
    "backoff=linear base=1s increment=1s cap=3s retries=4",
    "backoff=fibonacci base=1s retries=6 cap=6s",
    "delays=1s,5s,30s after=stop retries=3",
    "base=1s factor=2 cap=10s jitter=full retries=unlimited",
    "base=1s factor=2 retries=0",
    "first-wait=0s base=1s factor=2 cap=10s retries=4",
    "base=1s factor=2 cap=20s floor=2s retries=4 jitter=none",
    "base=1s factor=2 retries=6 jitter=none deadline=10s overrun=refuse",
    "base=1s factor=2 retries=6 jitter=none deadline=10s overrun=allow",
    "base=1s factor=2 retries=6 jitter=none deadline=10s overrun=shorten",
];

/// One text and what it means to us.
pub struct Case {
    /// The library's id.
    pub library: &'static str,
    /// The text.
    pub text: String,
    /// What we read in it.
    pub policy: Policy,
    /// How often it is run.
    pub times: u64,
    /// The range of each wait, ms, as many as are looked at.
    pub waits: Vec<(f64, f64)>,
    /// How many waits there are if chance cannot end them earlier or later.
    pub count: Option<usize>,
}

/// Every text of one library, each once.
pub fn of(id: &str) -> Vec<Case> {
    let library = by_id(id).expect("a library");
    let read_all = |text: &str| read(text, &Choice::default()).into_iter().map(|reading| reading.policy);
    let examples = library.examples.iter().map(|example| example.text);
    let mut cases: Vec<Case> = Vec::new();
    for policy in POLICIES.iter().copied().chain(examples).flat_map(read_all) {
        let text = write(&policy, id).text;
        if !text.is_empty() && !cases.iter().any(|case| case.text == text) {
            let policy = read_all(&text).next().expect("what is written is read");
            cases.push(case(library.id, text, policy));
        }
    }
    cases
}

fn case(library: &'static str, text: String, policy: Policy) -> Case {
    let all = schedule(&policy, MOST as usize).waits;
    let mut waits: Vec<(f64, f64)> =
        all.iter().map(|wait| (wait.min_ms, wait.max_ms.unwrap_or(f64::INFINITY))).collect();
    let fixed = waits.iter().all(|(min, max)| min == max);
    let mut count = Some(waits.len());
    if let Some(deadline) = policy.deadline {
        let within = policy.fixed_waits_within(deadline.limit_ms).map_or(waits.len(), |n| n as usize);
        count = fixed.then_some(match deadline.overrun {
            Overrun::Refuse => within,
            Overrun::Allow | Overrun::Shorten => (within + 1).min(waits.len()),
        });
        let past = fixed && within < waits.len() && deadline.overrun == Overrun::Shorten;
        if past {
            let left = deadline.limit_ms - waits[..within].iter().map(|wait| wait.1).sum::<f64>();
            waits[within] = (left, left);
        }
    }
    Case { library, text, policy, times: if fixed { 2 } else { TIMES }, waits, count }
}
