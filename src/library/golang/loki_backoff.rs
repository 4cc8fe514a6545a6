//! Grafana's dskit backoff as Loki's and Promtail's clients configure it.

use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, GO, Library, Scan, Setting, Take};
use crate::notation::{Form, Item};
use crate::policy::{Law, Policy, Wait};

/// dskit as of August 2026.
pub static LIBRARY: Library = Library {
    id: "loki-backoff",
    title: "Loki and Promtail clients (dskit backoff)",
    ecosystem: "Go",
    version: "dskit 06829887 (2026-08)",
    source: "backoff/backoff.go; Promtail's client defaults",
    counts: "calls, the first included (max_retries); 0 means for ever",
    formula: "drawn from [lo, 2 lo), lo = min_period * 2^(k-1), the upper end cut to max_period",
    words: &[
        "backoff_config",
        "min_period",
        "max_period",
        "min_backoff_period",
        "max_backoff_period",
        "backoff.Config",
    ],
    settings: &[
        Setting::duration("min_period|min_backoff_period", "baseMs", "500ms").units(GO),
        Setting::duration("max_period|max_backoff_period", "capMs", "5m").units(GO),
        Setting::count("max_retries|max_backoff_retries", "retries", "10"),
        Setting::time("MinBackoff", "baseMs", Unit::Nanosecond, "0").of(GO_CONFIG).typed(),
        Setting::time("MaxBackoff", "capMs", Unit::Nanosecond, "0").of(GO_CONFIG).typed(),
        Setting::count("MaxRetries", "retries", "0").of(GO_CONFIG),
    ],
    notes: &[
        "max_retries counts sends, although it is called retries; there is one wait fewer.",
        "Once the upper end has reached max_period both ends stay: later waits lie between the last lower end and max_period.",
        "Before 1.5.0 the keys were minbackoff, maxbackoff and maxretries.",
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
            text: "clients:\n  - url: https://loki.example.com/loki/api/v1/push\n    backoff_config:\n      min_period: 200ms\n      max_period: 1s\n      max_retries: 5\n",
            waits: &[(0.2, 0.4), (0.4, 0.8), (0.8, 1.0), (0.8, 1.0)],
        },
        Example {
            text: "backoff_config: {min_period: 1s, max_period: 10s, max_retries: 3}\n",
            waits: &[(1.0, 2.0), (2.0, 4.0)],
        },
    ],
};

/// The group of the Go struct's fields.
const GO_CONFIG: &str = "backoff.Config";

/// The names before Loki 1.5.0, with those of today.
const OLD: &[(&str, &str)] =
    &[("minbackoff", "min_period"), ("maxbackoff", "max_period"), ("maxretries", "max_retries")];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let holders = scan.with_keys(&["backoff_config"]);
    let blocks = holders.filter_map(|holder| {
        let inner = holder.get("backoff_config")?.item()?;
        Some(Block::new(inner, Certainty::Certain).with(holder))
    });
    // Alloy has the same settings beside the endpoint's own.
    let alloy = scan.with_any_key(&["min_backoff_period", "max_backoff_period", "max_backoff_retries"]);
    let alloy = alloy.map(|item| Block::new(item, Certainty::Certain).variant("alloy"));
    // gRPC's struct of the same name has other fields.
    let own = |item: &&Item| ["MinBackoff", "MaxBackoff", "MaxRetries"].iter().any(|name| item.get(name).is_some());
    let literals = scan.heads(&[GO_CONFIG]).filter(|i| i.form == Form::Call).filter(own);
    let literals = literals.map(|item| Block::new(item, Certainty::Likely).variant(GO_CONFIG));
    blocks.chain(alloy).chain(literals).collect()
}

/// The struct as dskit's `backoff.New` takes it: what is not set is 0.
fn literal(mut args: Args) -> Policy {
    let min_ms = args.time("MinBackoff").unwrap_or(0.0);
    let max_ms = args.time("MaxBackoff").unwrap_or(0.0);
    let calls = args.count("MaxRetries").filter(|n| *n > 0);
    args.unknown_names("a field of `backoff.Config`", "it does not compile");
    Policy::new(Wait::table(bands(min_ms, max_ms)), calls.map(|n| n - 1))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == GO_CONFIG {
        return literal(take.of(item, GO_CONFIG));
    }
    for (old, new) in OLD {
        if let Some(value) = item.get(old) {
            let message = format!("`{old}` is the name before Loki 1.5.0; the reader of today refuses it.");
            take.error("renamed-key", value.span, message).help = format!("Write `{new}`.");
        }
    }
    let mut args = take.main();
    if item.args.is_empty() {
        args.take.note(
            "defaults",
            item.span,
            "Nothing is set: Promtail's defaults apply, 10 sends from 500 ms to 5 min.",
        );
    }
    let min_ms = args.time("min_period").unwrap_or(500.0);
    let max_ms = args.time("max_period").unwrap_or(300_000.0);
    let calls = args.count("max_retries").filter(|n| *n > 0);
    let alloy = args.take.block.variant == "alloy";
    if !alloy && !OLD.iter().any(|(old, _)| item.get(old).is_some()) {
        args.unknown_names("a key of backoff_config", "the reader refuses it");
    }
    let retries = calls.map(|n| n - 1);
    let mut policy = Policy::new(Wait::table(bands(min_ms, max_ms)), retries);
    let holder = take.block.others.first().copied();
    if let Some(value) = holder.and_then(|h| h.get("timeout")) {
        policy.attempt_timeout_ms = take.time("timeout", "attemptTimeoutMs", value, Some(Unit::Second));
    }
    policy
}

/// The bands until the upper end has reached the maximum; that one repeats.
fn bands(min_ms: f64, max_ms: f64) -> Vec<Law> {
    if min_ms >= max_ms {
        return vec![Law::fixed(min_ms)];
    }
    let mut bands = Vec::new();
    let (mut low, mut high) = (min_ms, (2.0 * min_ms).min(max_ms));
    bands.push(Law::uniform(low, high));
    while high < max_ms && low > 0.0 {
        (low, high) = (2.0 * low, (2.0 * high).min(max_ms));
        bands.push(Law::uniform(low, high));
    }
    bands
}
