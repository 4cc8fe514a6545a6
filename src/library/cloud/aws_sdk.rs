//! The AWS SDKs in general: environment, profiles and the SDK for Rust. What the SDKs for Python and JavaScript write in
//! code is read by the files of those two, whose texts this library accepts as well.

use crate::duration::Unit;
use crate::library::scan::identity;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take, by_id};
use crate::notation::{Form, Item, Value};
use crate::policy::{Backoff, Jitter, Policy, Wait};
use crate::retry_after::RetryAfter;

/// The retry behaviour of the SDKs in 2026.
pub static LIBRARY: Library = Library {
    id: "aws-sdk",
    title: "AWS SDK",
    ecosystem: "AWS",
    version: "2026-11 (botocore 1.44.8, @smithy/util-retry 4.6.2, aws-smithy 1.16.2)",
    source: "the SDKs' reference guide, Retry behavior; aws-smithy-types retry.rs, aws-config retry_config.rs",
    counts: "calls, the first included (AWS_MAX_ATTEMPTS, max_attempts of a profile, with_max_attempts)",
    formula: "U[0, min(base * 2^(k-1), 20)] s, base 0.05 s or 1 s when throttled",
    words: &[
        "AWS_MAX_ATTEMPTS",
        "AWS_RETRY_MODE",
        "AWS_NEW_RETRIES_2026",
        "RetryConfig::standard",
        "RetryConfig::adaptive",
        "RetryConfig::disabled",
        "retry_mode",
        "max_attempts",
        "boto3",
        "botocore",
        "@aws-sdk",
        "@smithy/util-retry",
        "retries",
        "ConfiguredRetryStrategy",
        "StandardRetryStrategy",
        "maxAttempts",
        "boto3.client",
        "with_max_attempts",
        "retry_limit",
    ],
    settings: &[
        Setting::count("with_max_attempts", "retries", "3"),
        Setting::duration("with_initial_backoff", "baseMs", ""),
        Setting::duration("with_max_backoff", "capMs", "20s"),
        Setting::count("max_attempts", "retries", "3").of(RUBY),
        Setting::count("retry_limit", "retries", "3").of(RUBY),
        Setting::time("retry_base_delay", "baseMs", Unit::Second, "0.3").of(RUBY),
        Setting::time("retry_max_delay", "capMs", Unit::Second, "0").of(RUBY),
        Setting::other("retry_mode|retry_jitter|retry_backoff").of(RUBY),
    ],
    notes: &[
        "AWS_MAX_ATTEMPTS and max_attempts of a profile count calls; max_attempts in botocore's Config counts retries.",
        "Throttling errors start at 1 s, others at 50 ms since the rules of 2026; before, most SDKs started at 1 s.",
        "A quota of tokens may end the retries of a busy client earlier.",
        "In Ruby the mode is legacy unless written: 0.3 * 2^(k-1) s, retry_limit counts retries.",
        "The adaptive mode adds a rate limiter whose waits have no bound.",
    ],
    releases: &["rules of 2026", "rules before 2026"],
    error_classes: &["transient errors", "throttling errors"],
    relaxed_names: false,
    retry_after: Some((
        RetryAfter::Raises { by_ms: 5_000.0 },
        "botocore 1.44.8, retries/standard.py; by x-amz-retry-after",
    )),
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "let config = aws_config::defaults(BehaviorVersion::latest())\n    .retry_config(RetryConfig::standard().with_max_attempts(4))\n    .load()\n    .await;\n",
            waits: &[(0.0, 0.05), (0.0, 0.1), (0.0, 0.2)],
        },
        Example {
            text: "let retry = RetryConfig::standard()\n    .with_max_attempts(3)\n    .with_initial_backoff(Duration::from_millis(200));\n",
            waits: &[(0.0, 0.2), (0.0, 0.4)],
        },
    ],
};

/// The SDKs with a file of their own.
const OTHERS: &[&str] = &["botocore", "aws-sdk-js"];
const RUST: &[&str] = &["RetryConfig.standard", "RetryConfig.adaptive", "RetryConfig.disabled"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let rust = scan.heads(RUST).filter(|i| i.form == Form::Call && i.head.text.contains("::"));
    let mut blocks: Vec<Block<'d>> = rust.map(|item| Block::new(item, Certainty::Certain).variant("rust")).collect();
    let own = |item: &&Item| ["retry_limit", "retry_mode", "max_attempts"].iter().any(|key| item.get(key).is_some());
    let calls = scan.items.iter().copied().filter(|i| i.form == Form::Call && i.head.text.starts_with("Aws"));
    let given = calls.filter_map(|i| [i].into_iter().chain(i.at(0).and_then(Value::item)).find(own));
    blocks.extend(given.map(|item| Block::new(item, Certainty::Certain).variant(RUBY)));
    for library in OTHERS.iter().filter_map(|id| by_id(id)) {
        for mut block in (library.find)(scan) {
            let known = blocks.iter().any(|b| b.span.overlaps(block.span));
            // Equal claims go to the file that knows more.
            block.certainty = block.certainty.min(Certainty::Likely);
            if !known {
                blocks.push(block.variant(library.id));
            }
        }
    }
    blocks
}

fn read(take: &mut Take) -> Policy {
    match by_id(take.block.variant) {
        Some(library) => read_as(take, library),
        None if take.block.variant == RUBY => ruby(take),
        None => rust(take),
    }
}

const RUBY: &str = "ruby";

/// `gems/aws-sdk-core/lib/aws-sdk-core/plugins/retry_errors.rb`: the legacy mode has names of its own.
fn ruby(take: &mut Take) -> Policy {
    let fast = is_fast(take);
    let mut args = take.of(take.block.item, RUBY);
    args.unknown_retry_names("an option of a client", "Ruby raises ArgumentError");
    let modern = args.value("retry_mode").and_then(Value::text).is_some_and(|mode| !mode.ends_with("legacy"));
    if let Some(value) = args.value(if modern { "retry_limit" } else { "max_attempts" }) {
        let message = "retry_limit is of the legacy mode, which is taken unless retry_mode is written, max_attempts of the \
                       others: it has no effect.";
        args.take.warning("no-effect", value.span, message);
    }
    if modern {
        let calls = args.count("max_attempts").unwrap_or(3);
        let base_ms = if fast { 50.0 } else { 1_000.0 };
        let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(20_000.0).jitter(Jitter::Full);
        return Policy::new(wait, calls.saturating_sub(1));
    }
    let base_ms = args.time("retry_base_delay").unwrap_or(300.0);
    let cap_ms = args.time("retry_max_delay").filter(|ms| *ms > 0.0);
    let jitter = match args.value("retry_jitter").and_then(Value::text).map(|name| name.trim_start_matches(':')) {
        Some("equal") => Jitter::Equal,
        Some("full") => Jitter::Full,
        _ => Jitter::None,
    };
    let retries = args.count("retry_limit").unwrap_or(3);
    Policy::new(Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms).jitter(jitter), retries)
}

fn is_fast(take: &Take) -> bool {
    take.release == "rules of 2026" && take.error_class == "transient errors"
}

/// The meaning of a block by the rules of another file: the same block as that file finds it, with the release and the
/// class of errors at the same place of its own lists.
pub(super) fn read_as(take: &mut Take, library: &'static Library) -> Policy {
    let own = take.library;
    let at = |list: &[&str], chosen: &str| list.iter().position(|name| *name == chosen).unwrap_or(0);
    let same = |list: &'static [&'static str], i: usize| list.get(i).or(list.first()).copied().unwrap_or("");
    let scan = take.scan;
    let wanted = identity(take.block.item);
    let Some(block) = (library.find)(scan).into_iter().find(|b| identity(b.item) == wanted) else {
        return Policy::single_call();
    };
    take.block = block;
    take.release = same(library.releases, at(own.releases, take.release));
    take.error_class = same(library.error_classes, at(own.error_classes, take.error_class));
    take.library = library;
    let policy = (library.read)(take);
    take.release = same(own.releases, at(library.releases, take.release));
    take.error_class = same(own.error_classes, at(library.error_classes, take.error_class));
    take.library = own;
    policy
}

fn rust(take: &mut Take) -> Policy {
    let item = take.block.item;
    if item.is("RetryConfig.disabled") {
        return Policy::single_call();
    }
    if item.is("RetryConfig.adaptive") {
        let message =
            "The adaptive mode adds a rate limiter on the client, whose waits have no bound and are not shown.";
        take.note("adaptive", item.head.span, message);
    }
    let fast = is_fast(take);
    let mut args = take.main();
    let calls = args.count("with_max_attempts").unwrap_or(3);
    if let Some(value) = args.value("with_max_attempts").filter(|_| calls == 0) {
        args.take.refuse("with_max_attempts", value, "must be at least 1");
    }
    let base_ms = args.time("with_initial_backoff").unwrap_or_else(|| {
        let base = if fast { ("50 ms", 50.0) } else { ("1 s", 1_000.0) };
        args.take.default("baseMs", base.0);
        base.1
    });
    let cap_ms = args.time("with_max_backoff");
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms).jitter(Jitter::Full);
    Policy::new(wait, calls.saturating_sub(1))
}
