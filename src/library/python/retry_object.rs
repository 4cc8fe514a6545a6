//! urllib3's `Retry` object, which urllib3 takes itself and requests hands on to it.

use super::{TYPE_ERROR, not_followed};
use crate::duration::Unit;
use crate::library::{Args, Setting, Take};
use crate::notation::{Item, Kind};
use crate::policy::{Backoff, CapOrder, Jitter, Policy, Wait};

/// Its settings, as the group `Retry`.
pub(super) const SETTINGS: [Setting; 18] = [
    Setting::count("total", "retries", "10").at(0).of("Retry"),
    Setting::count("connect", "", "").at(1).of("Retry"),
    Setting::count("read", "", "").at(2).of("Retry"),
    Setting::other("redirect").at(3).of("Retry"),
    Setting::count("status", "", "").at(4).of("Retry"),
    Setting::count("other", "", "").at(5).of("Retry"),
    Setting::other("allowed_methods").at(6).of("Retry"),
    Setting::other("status_forcelist").at(7).of("Retry"),
    Setting::time("backoff_factor", "baseMs", Unit::Second, "0").at(8).of("Retry").plain(),
    Setting::time("backoff_max", "capMs", Unit::Second, "120").at(9).of("Retry").plain(),
    Setting::other("raise_on_redirect").at(10).of("Retry"),
    Setting::other("raise_on_status").at(11).of("Retry"),
    Setting::other("history").at(12).of("Retry"),
    Setting::other("respect_retry_after_header").at(13).of("Retry"),
    Setting::other("remove_headers_on_redirect").at(14).of("Retry"),
    Setting::time("backoff_jitter", "jitter", Unit::Second, "0").at(15).of("Retry").plain(),
    Setting::other("retry_after_max").at(16).of("Retry"),
    Setting::other("method_whitelist").of("Retry"),
];

/// Every setting that urllib3 1.26 does not have.
const SINCE_2: &[&str] = &["backoff_max", "backoff_jitter", "retry_after_max"];

/// The releases between which its arguments changed.
pub(super) const RELEASES: &[&str] = &["urllib3 2", "urllib3 1.26"];

/// The kinds of failures that have a count of their own.
pub(super) const ERROR_CLASSES: &[&str] = &["status responses", "failed connections", "broken reads", "other errors"];

/// What surprises people about it.
pub(super) const NOTES: &[&str] = &[
    "The first retry never waits; the second waits twice the backoff_factor.",
    "Without backoff_factor no retry waits.",
    "The lowest of total and the count of the kind of failure decides.",
    "Responses are retried only where status_forcelist names them; a Retry-After header replaces the wait.",
    "No wait passes 120 s unless backoff_max says otherwise, which urllib3 1.26 does not have.",
];

/// What the object means. The kind of failure is the one that something is written about, unless the reader chose.
pub(super) fn read<'t>(take: &mut Take<'t>, item: &'t Item) -> Policy {
    choose(take, item);
    let old = take.release == RELEASES[1];
    let class = take.error_class;
    let mut args = take.of(item, "Retry");
    let counter = match class {
        "failed connections" => "connect",
        "broken reads" => "read",
        "other errors" => "other",
        _ => "status",
    };
    let total = total(&mut args);
    for other in ["connect", "read", "status", "other"].into_iter().filter(|name| *name != counter) {
        if let Some(value) = args.value(other).filter(|value| value.number().is_some_and(|n| n < 0.0)) {
            args.take.refuse(other, value, "is negative");
        }
    }
    let own = args.count(counter);
    if let Some((_, value)) = args.written(counter).filter(|_| own.is_some() && own < total.or(Some(u64::MAX))) {
        args.take.origin("retries", value.span);
    }
    let base_ms = args.time("backoff_factor").unwrap_or(0.0);
    let of_class =
        args.take.scan.items.iter().find_map(|i| i.get("DEFAULT_BACKOFF_MAX").or_else(|| i.get("BACKOFF_MAX")));
    if let Some(value) = of_class.filter(|_| !old) {
        let message = "urllib3 2 takes its cap as an argument: the attribute of the class has no effect.";
        args.take.warning("no-effect", value.span, message).help = "Give `backoff_max=`.".into();
    }
    let (cap_ms, jitter_ms) = match old {
        true => {
            let cap = of_class.and_then(|v| args.take.time("BACKOFF_MAX", "capMs", v, Some(Unit::Second)));
            (cap.unwrap_or(120_000.0), 0.0)
        }
        false => (args.time("backoff_max").unwrap_or(120_000.0), args.time("backoff_jitter").unwrap_or(0.0)),
    };
    unknown(&mut args, old);
    let jitter = if jitter_ms > 0.0 { Jitter::Additive { min_ms: 0.0, max_ms: jitter_ms } } else { Jitter::None };
    let curve = Backoff::Exponential { base_ms, factor: 2.0 };
    let wait = Wait::new(curve).cap(cap_ms).jitter(jitter).cap_order(CapOrder::AfterJitter);
    let mut policy = Policy::new(wait, total.into_iter().chain(own).min());
    policy.first_wait_ms = Some(0.0);
    explain(take, item, &policy);
    policy
}

/// Picks the release and the kind of failure that the text shows.
fn choose<'t>(take: &mut Take<'t>, item: &'t Item) {
    let args = take.of(item, "Retry");
    let has = |name: &str| args.value(name).is_some_and(|v| !v.is_null());
    let class = match () {
        () if has("status_forcelist") || has("status") => ERROR_CLASSES[0],
        () if has("connect") => ERROR_CLASSES[1],
        () if has("read") => ERROR_CLASSES[2],
        () if has("other") => ERROR_CLASSES[3],
        () => ERROR_CLASSES[0],
    };
    take.assume_error_class(class);
    let scan = take.scan;
    let old = scan.imports(&["requests.packages.urllib3"]) || scan.comments().any(speaks_of_1);
    if old {
        take.assume_release(RELEASES[1]);
        take.note("release", item.head.span, "Read by the rules of urllib3 1.26, which the text speaks of.");
    }
}

/// Whether a comment speaks of urllib3 1: `urllib3 1.26`, `urllib3==1.26.18`, `urllib3<2`.
fn speaks_of_1(comment: &str) -> bool {
    comment.split("urllib3").skip(1).any(|after| {
        let version = after.trim_start_matches([' ', '=', '~', 'v', '>']);
        version.starts_with("1.") || version.starts_with("<2") || version.starts_with("< 2")
    })
}

/// False and 0 are no retry, None no bound.
fn total(args: &mut Args) -> Option<u64> {
    match args.written("total") {
        Some((_, value)) if matches!(&value.kind, Kind::Word(word) if word == "False") => {
            args.take.origin("retries", value.span);
            Some(0)
        }
        Some((name, value)) if value.number().is_some_and(|n| n < 0.0) => {
            let what = "is negative: the first failure is the last, without a retry";
            args.take.refuse(&name, value, what);
            Some(0)
        }
        _ => args.count("total"),
    }
}

/// Names that the chosen release does not have.
fn unknown(args: &mut Args, old: bool) {
    let gone: &[&str] = if old { SINCE_2 } else { &["method_whitelist"] };
    for name in gone {
        let Some(value) = args.value(name) else { continue };
        let (message, help) = match *name {
            "method_whitelist" => (format!("`{name}` is gone in urllib3 2; {TYPE_ERROR}."), "Write `allowed_methods`."),
            _ => (
                format!("`{name}` came with urllib3 2; in 1.26 {TYPE_ERROR}."),
                "Leave it out, or read it as urllib3 2.",
            ),
        };
        args.take.error("unknown-key", value.span, message).help = help.into();
    }
    args.unknown_names("an argument of `Retry`", TYPE_ERROR);
}

/// What nobody wrote and what surprises.
fn explain<'t>(take: &mut Take<'t>, item: &'t Item, policy: &Policy) {
    let span = item.head.span;
    if item.args.is_empty() {
        let message = "Nothing is written: 10 retries, none of which waits, because backoff_factor is 0.";
        take.note("defaults", span, message);
    } else if take.of(item, "Retry").value("total").is_none() {
        take.note("default-total", span, "`total` is not written: 10 retries.");
    }
    let Backoff::Exponential { base_ms, .. } = policy.wait.backoff else { return };
    if policy.retries == Some(0) || item.args.is_empty() {
        return;
    }
    if base_ms == 0.0 {
        take.note("no-wait", span, "`backoff_factor` is 0: no retry waits.").help =
            "Give `backoff_factor=0.5` or the like.".into();
        return;
    }
    let message =
        format!("The first retry is immediate; the second waits {} s, twice the backoff_factor.", base_ms / 500.0);
    take.note("first-immediate", span, message);
    let capped = policy.retries.is_none_or(|n| policy.wait.backoff.delay_ms(n) > 120_000.0);
    if capped && !take.of(item, "Retry").has("backoff_max") {
        take.note("default-cap", span, "No wait passes 120 s: `backoff_max` is not written.");
    }
}

/// What an int in the place of a `Retry` means: that many retries at once.
pub(super) fn read_count(take: &mut Take, retries: Option<u64>) -> Policy {
    take.default("baseMs", "backoff_factor 0");
    Policy::new(Wait::new(Backoff::Constant { delay_ms: 0.0 }), retries)
}

/// A name that the text does not explain in the place of a `Retry`.
pub(super) fn read_unknown(take: &mut Take, span: crate::span::Span, default: Option<u64>) -> Policy {
    not_followed(take, "retries", span, "The retries are given by a name that this text does not define.");
    take.unknown.push("baseMs");
    read_count(take, default)
}
