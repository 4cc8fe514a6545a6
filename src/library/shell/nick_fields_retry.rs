//! The GitHub action nick-fields/retry.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Policy, Wait};

/// nick-fields/retry 3.
pub static LIBRARY: Library = Library {
    id: "nick-fields-retry",
    title: "nick-fields/retry",
    ecosystem: "GitHub Actions",
    version: "v3 (dd56f1c, 2026-03)",
    source: "action.yml, src/inputs.ts, src/index.ts",
    counts: "calls (max_attempts); it waits after the last one as well",
    formula: "retry_wait_seconds",
    words: &["nick-fields/retry", "nick-invision/retry", "retry_wait_seconds"],
    settings: &[
        Setting::number("max_attempts", "retries", "3"),
        Setting::number("retry_wait_seconds", "baseMs", "10"),
        Setting::time("timeout_minutes", "attemptTimeoutMs", Unit::Minute, ""),
        Setting::time("timeout_seconds", "attemptTimeoutMs", Unit::Second, ""),
        Setting::other("command"),
        Setting::other("shell"),
        Setting::other("polling_interval_seconds"),
        Setting::other("retry_on"),
        Setting::other("warning_on_retry"),
        Setting::other("on_retry_command"),
        Setting::other("new_command_on_retry"),
        Setting::other("continue_on_error"),
        Setting::other("retry_on_exit_code"),
    ],
    notes: &[
        "The wait follows every failed attempt, the last one too.",
        "A wait of 0 becomes 10 s.",
        "Exactly one of timeout_minutes and timeout_seconds is required.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "- uses: nick-fields/retry@v3\n  with:\n    timeout_minutes: 5\n    max_attempts: 2\n    retry_wait_seconds: 30\n    command: npm test\n",
            waits: &[(30.0, 30.0), (30.0, 30.0)],
        },
        Example {
            text: "- uses: nick-fields/retry@v3\n  with: { timeout_seconds: 20, max_attempts: 1, command: \"make\" }\n",
            waits: &[(10.0, 10.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let steps = scan.with_keys(&["uses"]).filter(|item| {
        let uses = item.get("uses").and_then(Value::text).unwrap_or_default();
        uses.starts_with("nick-fields/retry") || uses.starts_with("nick-invision/retry")
    });
    steps.map(|item| Block::new(item, Certainty::Certain)).collect()
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    let Some(with) = item.get("with").and_then(Value::item) else {
        take.error(
            "missing",
            item.span,
            "Exactly one of timeout_minutes and timeout_seconds is required; the step fails.",
        );
        return Policy::single_call();
    };
    let mut args = take.of(with, "");
    let calls = number(&mut args, "max_attempts", "retries", 3.0);
    let mut seconds = number(&mut args, "retry_wait_seconds", "baseMs", 10.0);
    if seconds == 0.0 {
        if let Some(value) = args.value("retry_wait_seconds") {
            args.take.warning("becomes-ten", value.span, "A wait of 0 becomes the default of 10 s.");
        }
        seconds = 10.0;
    }
    let (minutes_ms, seconds_ms) = (args.time("timeout_minutes"), args.time("timeout_seconds"));
    if args.has("timeout_minutes") == args.has("timeout_seconds") {
        let message = "Exactly one of timeout_minutes and timeout_seconds is required; the step fails.";
        args.take.error("missing", with.span, message);
    }
    args.unknown_names("an input of the action", "it is ignored with a warning");
    let mut policy = Policy::new(Wait::new(Backoff::Constant { delay_ms: seconds * 1_000.0 }), calls.max(0.0) as u64);
    policy.ends_with_wait = true;
    policy.attempt_timeout_ms = minutes_ms.or(seconds_ms);
    policy
}

/// A number that may be quoted; a negative one is an error.
fn number(args: &mut Args, name: &'static str, field: &'static str, default: f64) -> f64 {
    let Some(value) = args.value(name) else { return args.number(name).unwrap_or(default) };
    let Some(number) = value.text_number() else { return args.number(name).unwrap_or(default) };
    args.take.origin(field, value.span);
    if number < 0.0 {
        args.take.refuse(name, value, "must not be negative");
    }
    number.max(0.0)
}
