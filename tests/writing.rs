//! What is written means what was to be written, but for what is said to be lost.

mod golden;
mod policies;
mod written;

use backoff::library::{Choice, Library, Written, all, read, write};
use backoff::policy::{After, Backoff, CapOrder, Clock, Deadline, Jitter, Overrun, Policy, Wait};
use golden::{differences, files, readings};
use serde_json::Value;
use written::{problems, stream};

fn writers() -> impl Iterator<Item = &'static Library> {
    all().filter(|library| !library.write.is_empty())
}

/// The policies of a library's examples and golden cases, with what is expected of the latter.
fn own(library: &Library) -> Vec<(Policy, Value)> {
    let mut policies: Vec<(Policy, Value)> = Vec::new();
    let mut add = |policy: Policy, expect: Value| {
        if !policies.iter().any(|(other, _)| *other == policy) {
            policies.push((policy, expect));
        }
    };
    for example in library.examples {
        read(example.text, &Choice::default()).into_iter().for_each(|r| add(r.policy, Value::Null));
    }
    for file in files().iter().filter(|file| file.library == library.id) {
        for case in file.cases.iter().filter(|case| case["expect"]["error_about"].is_null()) {
            let text = case["input"].as_str().expect("input");
            for (at, reading) in readings(library.id, text).into_iter().flatten().enumerate() {
                add(reading.policy, if at == 0 { case["expect"].clone() } else { Value::Null });
            }
        }
    }
    policies
}

/// Policies put together by chance, with numbers as people and as machines write them; the same in every run.
fn random() -> Vec<Policy> {
    let mut chance = stream(7);
    let mut pick = move |n: usize| (chance() * n as f64) as usize;
    let times = [0.0, 1.0, 20.0, 99.5, 250.0, 333.333, 1000.0, 1500.0, 60_000.0, 1e9];
    let one = |pick: &mut dyn FnMut(usize) -> usize| {
        let base_ms = times[pick(10)];
        let backoff = match pick(6) {
            0 => Backoff::Constant { delay_ms: base_ms },
            1 => Backoff::Linear { base_ms, increment_ms: times[pick(10)] },
            2 => Backoff::Fibonacci { base_ms },
            3 => {
                Backoff::List { delays_ms: (0..=pick(5)).map(|_| times[pick(10)]).collect(), after: After::RepeatLast }
            }
            _ => Backoff::Exponential { base_ms, factor: [1.0, 1.5, 2.0, 3.0, 0.5][pick(5)] },
        };
        let jitter = match pick(7) {
            0 => Jitter::Full,
            1 => Jitter::Equal,
            2 => Jitter::Decorrelated,
            3 => Jitter::Proportional { below: [0.0, 0.2, 0.5][pick(3)], above: [0.0, 0.2, 1.0][pick(3)] },
            4 => Jitter::Additive { min_ms: 0.0, max_ms: times[pick(8)] },
            _ => Jitter::None,
        };
        let orders = [CapOrder::BeforeJitter, CapOrder::AfterJitter, CapOrder::Both];
        let mut wait = Wait::new(backoff).jitter(jitter);
        wait.cap_ms = (pick(3) > 0).then(|| times[pick(10)]);
        wait.cap_order = orders[pick(3)];
        wait.floor_ms = (pick(6) == 0).then(|| times[pick(10)]);
        let mut policy = Policy::new(wait, [Some(0), Some(1), Some(3), Some(7), Some(40), None][pick(6)]);
        policy.first_wait_ms = (pick(8) == 0).then_some(0.0);
        policy.attempt_timeout_ms = (pick(4) == 0).then_some(2500.0);
        let overrun = [Overrun::Refuse, Overrun::Allow, Overrun::Shorten][pick(3)];
        policy.deadline = (pick(3) == 0).then_some(Deadline { limit_ms: 30_500.0, overrun, clock: Clock::Elapsed });
        policy
    };
    (0..300).map(|_| one(&mut pick)).collect()
}

#[test]
fn what_is_written_is_read_back_but_for_its_losses() {
    let everyone: Vec<Policy> =
        all().flat_map(own).map(|(policy, _)| policy).chain(policies::varied()).chain(random()).collect();
    let full = std::env::var_os("ALL_WRITING").is_some();
    let mut wrong = Vec::new();
    for (at, library) in writers().enumerate() {
        // The whole product takes minutes; a share of it that is another for each library covers every kind.
        let some = everyone.iter().enumerate().filter(|(n, _)| full || n % 97 == at % 97).map(|(_, policy)| policy);
        for policy in some {
            let problems = problems(policy, library);
            wrong.extend(problems.into_iter().map(|p| format!("{}: {p}\n{policy:?}", library.id)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// What a library reads and its templates do not say: its id and how the loss begins.
const UNSAID: &[(&str, &str)] = &[
    // The law of its jitter is not published.
    ("aiohttp-retry", "Wait 1: 2 s to 4.25 s"),
    // A time-out there is a policy of its own around the retries.
    ("cockatiel", "Time-out of a call: "),
    ("cockatiel", "Deadline: "),
    // How the sending of a message is tried again is no option of a task.
    ("celery", "Celery has no words for waits that grow by the same step"),
    // Rules of throttled calls, which no setting asks for.
    ("botocore", "First delay: 1 s in"),
    // Hedging does not wait for a failure; a policy of waits is not written as it.
    ("grpc-service-config", "Jitter: none in"),
    // `forever` repeats the last wait of a sorted list.
    ("node-retry", "node-retry has no words for"),
    // No retry at all is no Retry.
    ("rq", "RQ refuses"),
    // It asks for one of two time-outs.
    ("temporal", "Time-out of a call: none"),
    // Functions of one's own compute these; a template writes none.
    ("ky", "Jitter: up to 50 % more in"),
    ("bullmq", "BullMQ has no words for waits that grow by the same step"),
    ("backoff", "Jitter: 0 s to 3 s added in"),
    // Its linear strategy rounds down to whole ms as no other does.
    ("tokio-retry2", "tokio-retry2 has no words for waits that grow by the same step"),
    // Chains of different strategies, and their sums.
    ("tenacity", "Wait 1: "),
];

#[test]
fn a_library_can_say_what_it_read() {
    let only = std::env::var("LIBRARY").ok();
    let mut lost = Vec::new();
    for library in writers().filter(|l| only.as_deref().is_none_or(|only| only.split(',').any(|o| o == l.id))) {
        for (policy, expect) in own(library) {
            let mut problems = problems(&policy, library);
            let Written { text, losses } = write(&policy, library.id);
            if losses.is_empty() && !expect.is_null() {
                problems.extend(differences(&read(&text, &Choice::default())[0], &expect));
            }
            let unsaid = |loss: &String| UNSAID.iter().any(|(id, start)| *id == library.id && loss.starts_with(start));
            if !problems.is_empty() || !losses.iter().all(unsaid) {
                lost.push(format!("{}: {losses:?} {problems:?}\n{policy:?}\n{text}", library.id));
            }
        }
    }
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn what_can_be_written_was_run_or_checked() {
    let kept = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/real-libraries.md")).expect("kept");
    let rows: Vec<&str> = kept.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next()).collect();
    let unchecked: Vec<_> = writers().map(|l| l.id).filter(|id| *id != "neutral" && !rows.contains(id)).collect();
    assert!(unchecked.is_empty(), "`cargo run -p real-tests` has not seen {unchecked:?}");
}
