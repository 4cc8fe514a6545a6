//! Fluentd: the retries of a buffer.

use crate::duration::Unit;
use crate::library::near::nearest;
use crate::library::scan::identity;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Form, Item};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Phase, Policy, Wait};

/// Fluentd 1.19.
pub static LIBRARY: Library = Library {
    id: "fluentd",
    title: "Fluentd",
    ecosystem: "collectors",
    version: "1.19.0 (ff8682d7, 2026-08)",
    source: "plugin_helper/retry_state.rb, plugin/output.rb",
    counts: "retries (retry_max_times)",
    formula: "retry_wait at first, then min(retry_max_interval, retry_wait * base^(k-1)) * U[0.875, 1.125]",
    words: &[
        "retry_exponential_backoff_base",
        "retry_max_times",
        "retry_randomize",
        "retry_type",
        "<buffer",
        "retry_wait",
        "retry_max_interval",
        "retry_forever",
        "buffer",
        "retry_limit",
        "max_retry_wait",
        "disable_retry_limit",
    ],
    settings: &[
        Setting::other("retry_type"),
        Setting::time("retry_wait", "baseMs", Unit::Second, "1"),
        Setting::number("retry_exponential_backoff_base", "factor", "2"),
        Setting::time("retry_max_interval|max_retry_wait", "capMs", Unit::Second, ""),
        Setting::count("retry_max_times|retry_limit", "retries", ""),
        Setting::time("retry_timeout", "deadline", Unit::Second, "259200"),
        Setting::flag("retry_randomize", "jitter", "true"),
        Setting::flag("retry_forever|disable_retry_limit", "retries", "false"),
    ],
    notes: &[
        "retry_max_times counts retries.",
        "The first wait has no jitter; later ones vary by an eighth, after the cap.",
        "Retries end after 72 hours unless retry_timeout or retry_forever says otherwise; the last one is made at the deadline.",
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
            text: "<match logs.**>\n  @type http\n  <buffer>\n    retry_wait 4s\n    retry_max_times 3\n    retry_randomize false\n  </buffer>\n</match>\n",
            waits: &[(4.0, 4.0), (8.0, 8.0), (16.0, 16.0)],
        },
        Example {
            text: "<buffer>\n  @type file\n  retry_type periodic\n  retry_wait 8s\n  retry_max_times 2\n</buffer>\n",
            waits: &[(8.0, 8.0), (7.0, 9.0)],
        },
    ],
};

/// Names before release 1, in the output itself.
const OLD: &[&str] = &["retry_limit", "max_retry_wait", "disable_retry_limit", "retry_wait"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let buffers = scan.items.iter().copied().filter(|i| i.form == Form::Section && i.head.text == "buffer");
    let mut blocks: Vec<Block<'d>> = buffers.map(|item| Block::new(item, Certainty::Certain)).collect();
    // The same in YAML.
    let mapped = |i: &Item| matches!(i.place.last(), Some(Crumb::Key(key)) if key == "buffer");
    let maps = scan.items.iter().copied().filter(|i| mapped(i) && (retries(i) || i.get("$type").is_some()));
    blocks.extend(maps.map(|item| Block::new(item, Certainty::Certain)));
    // The names of release 0.12 stand beside the output's own; today's fluentd takes them over into the buffer.
    let old = |i: &Item| OLD.iter().any(|name| i.get(name).is_some());
    let outputs = scan.items.iter().copied().filter(|i| i.form == Form::Section && i.head.text != "buffer" && old(i));
    blocks.extend(outputs.map(|item| Block::new(item, Certainty::Certain).variant("old")));
    blocks
}

fn retries(item: &Item) -> bool {
    item.args.iter().any(|a| a.name.as_ref().is_some_and(|n| n.text.starts_with("retry_")))
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    let mut args = take.main();
    if !retries(item) {
        args.take.note(
            "defaults",
            identity(item),
            "Nothing about retries is written: for 72 hours from 1 s, doubling, is the default.",
        );
    }
    for arg in &item.args {
        let Some(name) = arg.name.as_ref().filter(|n| n.text.starts_with("retry_")) else { continue };
        let first: Vec<&'static str> = LIBRARY.settings.iter().filter_map(|s| s.names().next()).collect();
        let old = args.take.block.variant == "old" && OLD.contains(&name.text.as_str());
        if !old && !first.contains(&name.text.as_str()) && !name.text.starts_with("retry_secondary") {
            let message = format!("`{}` is not a parameter of a buffer; it is ignored with a warning.", name.text);
            args.take.unknown_key(name.span, message, nearest(&name.text, &first));
        }
    }
    let periodic = periodic(&mut args);
    let base_ms = args.time("retry_wait").unwrap_or(1_000.0);
    let factor = args.number("retry_exponential_backoff_base").unwrap_or(2.0);
    let cap_ms = args.time("retry_max_interval");
    let jitters = args.flag("retry_randomize");
    let forever = args.flag("retry_forever");
    let retries = args.count("retry_max_times").filter(|_| !forever);
    let limit_ms = args.time("retry_timeout").filter(|_| !forever);
    let curve = match periodic {
        true => Backoff::Constant { delay_ms: base_ms },
        false => Backoff::Exponential { base_ms, factor },
    };
    let first = Wait::new(Backoff::Constant { delay_ms: base_ms });
    let eighth = Jitter::Proportional { below: 0.125, above: 0.125 };
    let mut policy =
        Policy::new(Wait::new(curve).cap(cap_ms).jitter(if jitters { eighth } else { Jitter::None }), retries);
    policy.phases = vec![Phase { retries: 1, wait: first }];
    policy.deadline =
        limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Shorten, clock: Clock::FirstFailure });
    policy
}

fn periodic(args: &mut Args) -> bool {
    let Some(value) = args.value("retry_type") else {
        args.take.default("backoff", "exponential_backoff");
        return false;
    };
    match value.text().map(str::trim) {
        Some("periodic") => true,
        Some("exponential_backoff") => false,
        _ => {
            args.take.refuse("retry_type", value, "must be exponential_backoff or periodic");
            false
        }
    }
}
