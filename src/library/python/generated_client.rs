//! The retry rule of API clients that come from one generator: OpenAI's and Anthropic's.

use super::{TYPE_ERROR, misspelt};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Scan, Setting, Take};
use crate::notation::{Arg, Form, Step};
use crate::policy::{Backoff, Jitter, Policy, Wait};

/// What of a client's arguments concerns retries.
pub(super) const SETTINGS: [Setting; 4] = [
    Setting::count("max_retries", "retries", "2"),
    Setting::time("timeout", "attemptTimeoutMs", Unit::Second, "600").plain(),
    Setting::count("maxRetries", "retries", "2").of(SCRIPT),
    Setting::time("timeout", "attemptTimeoutMs", Unit::Millisecond, "600000").of(SCRIPT).plain(),
];

/// The group of the JavaScript clients, which take an object and wait by the same rule.
const SCRIPT: &str = "script";

/// How long it waits, in one line.
pub(super) const FORMULA: &str = "min(0.5 s * 2^(k-1), 8 s) * U(0.75, 1)";

/// What surprises people about it.
pub(super) const NOTES: &[&str] = &[
    "Two retries are made unless max_retries says otherwise; it counts retries, not calls.",
    "The waits cannot be configured: 0.5 s, 1 s, 2 s, 4 s, then 8 s, each up to a quarter shorter.",
    "A Retry-After header of the response replaces the wait.",
    "timeout bounds each call, 10 minutes unless something else is written; nothing bounds the whole.",
];

/// The clients of a package: those named with their path, and those named alone in a text that says nothing else.
pub(super) fn find<'d>(scan: &Scan<'d>, package: &'static str, classes: &'static [&'static str]) -> Vec<Block<'d>> {
    let imported = scan.imports(&[package]);
    scan.blocks(&|item| {
        if item.form != Form::Call {
            return None;
        }
        // JavaScript's client is what its package exports by default; LangChain's classes there retry by themselves.
        let own = matches!(item.head.text.as_str(), "openai" | "@anthropic-ai/sdk") && item.head.text.contains(package);
        let script = own
            && scan.imports(&[item.head.text.as_str()])
            && (item.args.is_empty() || !given(&item.args).1.is_empty());
        let other = given(&item.args).1 == SCRIPT && ["Chat", "Embed"].iter().any(|word| item.head.text.contains(word));
        let certainty = if item.is_any(classes) && !other {
            // LangChain's classes hand their arguments on.
            match super::is_from(item, package, classes) || item.head.text.starts_with("langchain") {
                true => Certainty::Certain,
                false if super::is_bare(item, classes) => Certainty::Likely,
                false => return None,
            }
        } else {
            // The client that the module itself is: `openai.max_retries = 5`.
            let module = item.head.text.is_empty() && item.target.as_ref().is_some_and(|t| t.text == package);
            let changes = imported && (module || item.is_any(CHANGES)) && item.get("max_retries").is_some();
            (script || changes).then_some(Certainty::Certain)?
        };
        Some(Block::new(item, certainty))
    })
}

const CHANGES: &[&str] = &["with_options", "copy", "withOptions"];

/// What is given, and the group of its settings: the JavaScript clients of the same names take an object.
fn given(args: &[Arg]) -> (&[Arg], &'static str) {
    let object = args.first().filter(|arg| arg.name.is_none()).and_then(|arg| arg.value.item());
    object.filter(|i| i.form == Form::Map).map_or((args, ""), |map| (&map.args, SCRIPT))
}

/// What a client means; `name` is what people call it.
pub(super) fn read(take: &mut Take, name: &str) -> Policy {
    let item = take.block.item;
    let whose = format!("an argument of the {name} client, whose waits cannot be configured");
    let calls = item.steps.iter().filter_map(|step| match step {
        Step::Call { name, args, span } if CHANGES.contains(&name.text.as_str()) => Some((args.as_slice(), *span)),
        _ => None,
    });
    let mut main = if let (args, SCRIPT) = given(&item.args) {
        let mut args = take.of_call(args, item.span, SCRIPT);
        args.unknown_retry_names(&whose, "it is ignored");
        args
    } else {
        misspelt(take, item, "", &whose, TYPE_ERROR);
        take.main()
    };
    let (mut retries, mut timeout) = options(&mut main, None);
    let mut written = main.has(count_name(&main));
    for (args, span) in calls {
        let (args, of) = given(args);
        let mut args = take.of_call(args, span, of);
        (retries, timeout) = options(&mut args, Some((retries, timeout)));
        written |= args.has(count_name(&args));
    }
    if !written {
        take.note("defaults", item.head.span, "Nothing is written about retries: two are made.").help =
            "Give `max_retries=` for another number, 0 for none.".into();
    }
    let wait = Wait::new(Backoff::Exponential { base_ms: 500.0, factor: 2.0 });
    let jitter = Jitter::Proportional { below: 0.25, above: 0.0 };
    let mut policy = Policy::new(wait.cap(8_000.0).jitter(jitter), retries);
    policy.attempt_timeout_ms = timeout;
    for (field, value) in [("baseMs", "0.5 s"), ("factor", "2"), ("capMs", "8 s"), ("jitter", "up to a quarter less")] {
        take.default(field, value);
    }
    policy
}

/// What the count is called.
fn count_name(args: &Args) -> &'static str {
    if args.of == SCRIPT { "maxRetries" } else { "max_retries" }
}

/// The retries and the bound on one call, those of the client before where nothing is written.
fn options(args: &mut Args, before: Option<(Option<u64>, Option<f64>)>) -> (Option<u64>, Option<f64>) {
    let name = count_name(args);
    let retries = match args.written(name) {
        Some((name, value)) if value.is_null() => {
            let what = "is None: the client raises TypeError; write 0 for no retry, a large number for many";
            args.take.refuse(&name, value, what);
            Some(2)
        }
        None if before.is_some() => before.and_then(|(retries, _)| retries),
        _ => args.count(name),
    };
    let timeout = match args.value("timeout") {
        None if before.is_some() => before.and_then(|(_, timeout)| timeout),
        // A `httpx.Timeout` bounds the parts of a call each by itself; its first number is that of all parts.
        Some(value) if value.item().is_some_and(|i| i.is("Timeout")) => {
            let whole = value.item().and_then(|i| i.at(0).or_else(|| i.get("timeout")));
            whole
                .filter(|v| !v.is_null())
                .and_then(|v| args.take.time("timeout", "attemptTimeoutMs", v, Some(Unit::Second)))
        }
        _ => args.time("timeout"),
    };
    (retries, timeout)
}
