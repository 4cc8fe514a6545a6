//! Temporal: the retry policy of activities and workflows, in every SDK.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take, same};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Overrun, Policy, Wait};

/// Temporal server 1.32.
pub static LIBRARY: Library = Library {
    id: "temporal",
    title: "Temporal",
    ecosystem: "workflows",
    version: "server 1.32.0 (6805caea59), sdk-go 83fc2bc6 (2026-08)",
    source: "service/history/workflow/retry.go, common/retrypolicy/retry_policy.go; sdk-go internal/client.go",
    counts: "calls, the first included (MaximumAttempts); 0 means for ever",
    formula: "min(MaximumInterval, InitialInterval * BackoffCoefficient^(n-1))",
    words: &[
        "temporal.RetryPolicy",
        "temporal",
        "backoffCoefficient",
        "BackoffCoefficient",
        "MaximumAttempts",
        "maximumAttempts",
        "backoff_coefficient",
        "maximum_attempts",
        "setBackoffCoefficient",
        "setMaximumAttempts",
        "proxyActivities",
        "temporalio",
        "Temporalio::RetryPolicy.new",
        "RetryOptions::new",
        "setRetryOptions",
        "maximumInterval",
        "initialInterval",
        "startToCloseTimeout",
        "StartToCloseTimeout",
        "start_to_close_timeout",
        "setStartToCloseTimeout",
        "scheduleToCloseTimeout",
        "ScheduleToCloseTimeout",
        "schedule_to_close_timeout",
    ],
    settings: &[
        Setting::time("InitialInterval|setInitialInterval", "baseMs", Unit::Nanosecond, "1s"),
        Setting::number("BackoffCoefficient|setBackoffCoefficient", "factor", "2"),
        Setting::time("MaximumInterval|setMaximumInterval", "capMs", Unit::Nanosecond, ""),
        Setting::number("MaximumAttempts|setMaximumAttempts", "retries", "0"),
        Setting::other("NonRetryableErrorTypes|setDoNotRetry|NonRetryableErrorTypesList"),
        Setting::time("initial_interval", "baseMs", Unit::Second, "1").of("ruby"),
        Setting::number("backoff_coefficient", "factor", "2").of("ruby"),
        Setting::time("max_interval", "capMs", Unit::Second, "").of("ruby"),
        Setting::number("max_attempts", "retries", "0").of("ruby"),
        Setting::other("non_retryable_error_types").of("ruby"),
        Setting::time("withInitialInterval", "baseMs", Unit::Second, "1").of("php"),
        Setting::number("withBackoffCoefficient", "factor", "2").of("php"),
        Setting::time("withMaximumInterval", "capMs", Unit::Second, "").of("php"),
        Setting::number("withMaximumAttempts", "retries", "0").of("php"),
        Setting::time("withStartToCloseTimeout", "attemptTimeoutMs", Unit::Second, "").of("php options"),
        Setting::time("withScheduleToCloseTimeout", "deadline", Unit::Second, "").of("php options"),
        Setting::time("StartToCloseTimeout|setStartToCloseTimeout", "attemptTimeoutMs", Unit::Nanosecond, "")
            .of("options"),
        Setting::time("ScheduleToCloseTimeout|setScheduleToCloseTimeout", "deadline", Unit::Nanosecond, "")
            .of("options"),
    ],
    notes: &[
        "MaximumAttempts counts the first attempt; 0, the default, means for ever.",
        "MaximumInterval is a hundred times InitialInterval unless it is written.",
        "ScheduleToCloseTimeout is the deadline: a retry whose wait would end after it is not made.",
        "There is no jitter.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[
        "import { proxyActivities } from \"@temporalio/workflow\";\n\nconst { call } = proxyActivities({\n  startToCloseTimeout: \"«timeout:unit|24h»\",‹\n  scheduleToCloseTimeout: \"«refuse:unit»\",›\n  retry: {\n    initialInterval: \"«base:unit»\",\n    backoffCoefficient: «factor»,\n    maximumInterval: \"«cap:unit|876000h»\",\n‹    maximumAttempts: «calls»,\n›  },\n});\n",
        "import { proxyActivities } from \"@temporalio/workflow\";\n\nconst { call } = proxyActivities({\n  scheduleToCloseTimeout: \"«refuse:unit»\",\n  retry: {\n    initialInterval: \"«base:unit»\",\n    backoffCoefficient: «factor»,\n    maximumInterval: \"«cap:unit|876000h»\",\n‹    maximumAttempts: «calls»,\n›  },\n});\n",
    ],
    examples: &[
        Example {
            text: "ao := workflow.ActivityOptions{\n\tStartToCloseTimeout: time.Minute,\n\tRetryPolicy: &temporal.RetryPolicy{\n\t\tInitialInterval:    2 * time.Second,\n\t\tBackoffCoefficient: 3,\n\t\tMaximumInterval:    10 * time.Second,\n\t\tMaximumAttempts:    4,\n\t},\n}\n",
            waits: &[(2.0, 2.0), (6.0, 6.0), (10.0, 10.0)],
        },
        Example {
            text: "const { ship } = proxyActivities<typeof activities>({\n  startToCloseTimeout: '30s',\n  retry: { initialInterval: '500ms', maximumAttempts: 3 },\n});\n",
            waits: &[(0.5, 0.5), (1.0, 1.0)],
        },
    ],
};

/// The value of a setting in any SDK's spelling.
fn get<'d>(item: &'d Item, name: &str) -> Option<&'d Value> {
    let same = |n: &str| same(n, name) || n.get(3..).is_some_and(|rest| same(&n[..3], "set") && same(rest, name));
    let named = item.args.iter().rev().find(|a| a.name.as_ref().is_some_and(|n| same(&n.text))).map(|a| &a.value);
    // Kotlin's `RetryOptions { setMaximumAttempts(3) }`
    let calls = || item.args.iter().filter(|a| a.name.is_none()).filter_map(|a| a.value.item());
    let called = || calls().find(|i| i.head.text.starts_with("set") && same(&i.head.text))?.at(0);
    named.or_else(called).or_else(|| {
        item.steps.iter().find_map(|step| match step {
            crate::notation::Step::Call { name, args, .. } if same(&name.text) => Some(&args.first()?.value),
            crate::notation::Step::Set { path, value } if same(&path.text) => Some(value),
            _ => None,
        })
    })
}

const OWN: &[&str] = &["backoffcoefficient", "maximumattempts", "maximuminterval"];
const FOREIGN: &[&str] =
    &["firstretryinterval", "maxnumberofattempts", "minimuminterval", "maxretrycount", "initialintervalinseconds"];

/// The two SDKs with names of their own: their heads, with the groups of the table.
const OTHERS: &[(&str, &str)] = &[("Temporalio.RetryPolicy.new", "ruby"), ("RetryOptions.new", "php")];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = scan.says("temporal") || scan.says("proxyActivities") || scan.says("workflow.ActivityOptions");
    let heads = ["RetryPolicy", "RetryOptions.newBuilder", "temporal.RetryPolicy"];
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for (head, variant) in OTHERS {
        for item in scan.heads(std::slice::from_ref(head)).filter(|i| i.head.text.contains("::")) {
            let options = scan.items.iter().copied().find(|o| o.span != item.span && o.span.holds(item.span));
            let block = Block::new(item, Certainty::Certain).variant(variant);
            blocks.push(match options {
                Some(options) => block.with(options),
                None => block,
            });
        }
    }
    for item in scan.items.iter().copied() {
        let own = OWN.iter().filter(|name| get(item, name).is_some()).count();
        let initial = get(item, "initialinterval").is_some();
        // Others share a name or two: Durable Functions, the retry of a host or of a connector.
        let taken = blocks.iter().any(|b| b.item.span == item.span);
        let foreign = taken || FOREIGN.iter().any(|name| get(item, name).is_some());
        let alone = own == 1 && !initial && get(item, "maximuminterval").is_some();
        if foreign || alone && !named {
            continue;
        }
        let headed = item.is_any(&heads) && (named || item.is("RetryOptions.newBuilder"));
        let certainty = match (headed || own > 0, own + usize::from(initial)) {
            (true, _) => Certainty::Certain,
            (false, 1..) if named && initial => Certainty::Certain,
            _ => continue,
        };
        let mut block = Block::new(item, certainty);
        let options = scan.items.iter().copied().find(|o| {
            o.span != item.span
                && o.span.holds(item.span)
                && (get(o, "starttoclosetimeout").is_some() || get(o, "scheduletoclosetimeout").is_some())
        });
        if let Some(options) = options {
            block = block.with(options);
        }
        blocks.push(block);
    }
    if blocks.is_empty() {
        // An activity without a policy retries all the same.
        let timed = |i: &&Item| get(i, "starttoclosetimeout").or(get(i, "scheduletoclosetimeout")).is_some();
        let activity = |i: &&Item| !i.head.text.to_ascii_lowercase().contains("workflow_options");
        let bare = scan.items.iter().copied().filter(timed).filter(activity);
        let bare = bare.filter(|i| ["retry", "retrypolicy", "retryoptions"].iter().all(|name| get(i, name).is_none()));
        let certainty = if named { Certainty::Certain } else { Certainty::Likely };
        blocks.extend(bare.map(|i| Block::new(i, certainty).variant("default").with(i)));
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let default = take.block.variant == "default";
    if matches!(take.block.variant, "ruby" | "php") {
        return other_sdk(take, item);
    }
    // In TypeScript, where names begin small, a bare number is milliseconds.
    let small = |i: &Item| {
        i.args
            .iter()
            .filter_map(|a| a.name.as_ref())
            .all(|n| !n.text.contains('_') && n.text.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let typescript = !default && item.head.text.is_empty() && small(item);
    let bare = if typescript { Unit::Millisecond } else { Unit::Nanosecond };
    let mut args = if default { take.of_call(&[], item.span, "") } else { take.main().bare(bare) };
    if default || item.args.is_empty() && item.steps.is_empty() {
        let message = "Nothing is written: for ever from 1 s, doubling to 100 s, is the default.";
        args.take.note("defaults", item.head.span, message);
    }
    args.unknown_names("a field of a retry policy", "it does not compile, or is ignored");
    let calls = args.number("MaximumAttempts").unwrap_or(0.0);
    if let Some(value) = args.value("MaximumAttempts").filter(|_| calls < 0.0) {
        args.take.refuse("MaximumAttempts", value, "must not be negative");
    }
    if let Some(value) = args.value("MaximumAttempts").filter(|v| typescript && v.number() == Some(0.0)) {
        args.take.refuse(
            "maximumAttempts",
            value,
            "must be a positive integer; the SDK throws. Infinity lifts the limit",
        );
    }
    let checked = calls != 1.0;
    let base_ms = args.time("InitialInterval").filter(|ms| *ms > 0.0).unwrap_or(1_000.0);
    let factor = coefficient(&mut args, checked);
    let cap_ms = interval(&mut args, base_ms, checked);
    let retries = (calls >= 1.0).then(|| calls as u64 - 1);
    let mut policy = Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms), retries);
    if let Some(options) = take.block.others.first().copied() {
        let typescript = options.get("startToCloseTimeout").or(options.get("scheduleToCloseTimeout")).is_some();
        let bare = if typescript { Unit::Millisecond } else { Unit::Nanosecond };
        let mut args = take.of(options, "options").bare(bare);
        policy.attempt_timeout_ms = args.time("StartToCloseTimeout");
        let limit_ms = args.time("ScheduleToCloseTimeout");
        policy.deadline =
            limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    }
    policy
}

/// Ruby and PHP: bare numbers are seconds.
fn other_sdk<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    let of = take.block.variant;
    let [initial, coefficient, longest, attempts] = match of {
        "php" => ["withInitialInterval", "withBackoffCoefficient", "withMaximumInterval", "withMaximumAttempts"],
        _ => ["initial_interval", "backoff_coefficient", "max_interval", "max_attempts"],
    };
    let mut args = take.of(item, of);
    let base_ms = args.time(initial).filter(|ms| *ms > 0.0).unwrap_or(1_000.0);
    let factor = args.number(coefficient).filter(|f| *f != 0.0).unwrap_or(2.0);
    let cap_ms = args.time(longest).filter(|ms| *ms > 0.0).unwrap_or(100.0 * base_ms);
    let calls = args.number(attempts).unwrap_or(0.0);
    let retries = (calls >= 1.0).then(|| calls as u64 - 1);
    let mut policy = Policy::new(Wait::new(Backoff::Exponential { base_ms, factor }).cap(cap_ms), retries);
    if let Some(options) = take.block.others.first().copied() {
        let (group, bare) = if of == "php" { ("php options", "with") } else { ("options", "") };
        let mut args = take.of(options, group).bare(Unit::Second);
        policy.attempt_timeout_ms = args.time(&format!("{bare}StartToCloseTimeout"));
        let limit_ms = args.time(&format!("{bare}ScheduleToCloseTimeout"));
        policy.deadline =
            limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
    }
    policy
}

fn coefficient(args: &mut Args, checked: bool) -> f64 {
    let factor = args.number("BackoffCoefficient").unwrap_or(2.0);
    if let Some(value) = args.value("BackoffCoefficient").filter(|_| factor < 1.0 && factor != 0.0 && checked) {
        args.take.refuse("BackoffCoefficient", value, "must not be less than 1");
    }
    if factor == 0.0 { 2.0 } else { factor }
}

fn interval(args: &mut Args, base_ms: f64, checked: bool) -> f64 {
    let max_ms = args.time("MaximumInterval").filter(|ms| *ms > 0.0);
    let Some(max_ms) = max_ms else {
        args.take.default("capMs", "100 * InitialInterval");
        return 100.0 * base_ms;
    };
    if let Some(value) = args.value("MaximumInterval").filter(|_| max_ms < base_ms && checked) {
        args.take.refuse("MaximumInterval", value, "must not be less than InitialInterval");
    }
    max_ms
}
