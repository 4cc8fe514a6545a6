//! systemd: restarts of a service.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{After, Backoff, Jitter, Policy, Wait};

/// systemd of the v262 era.
pub static LIBRARY: Library = Library {
    id: "systemd",
    title: "systemd",
    ecosystem: "shell",
    version: "main, v262 era (000d6586)",
    source: "src/core/service.c service_restart_usec_next",
    counts: "nothing: the start limit is a separate bound",
    formula: "RestartSec * (RestartMaxDelaySec / RestartSec)^((i-1)/RestartSteps), constant without steps and maximum",
    words: &["RestartSec", "RestartSteps", "RestartMaxDelaySec", "ExecStart", "Restart"],
    settings: &[
        Setting::time("RestartSec", "baseMs", Unit::Second, "0.1"),
        Setting::count("RestartSteps", "", "0"),
        Setting::time("RestartMaxDelaySec", "capMs", Unit::Second, ""),
        Setting::time("RestartRandomizedDelaySec", "jitter", Unit::Second, "0"),
        Setting::other("Restart"),
        Setting::other("RestartMode|RestartPreventExitStatus|RestartForceExitStatus|RestartKillSignal"),
        Setting::time("StartLimitIntervalSec|StartLimitInterval", "", Unit::Second, "10").of("Unit"),
        Setting::count("StartLimitBurst", "", "5").of("Unit"),
    ],
    notes: &[
        "The delay grows only when RestartSteps and RestartMaxDelaySec are both written.",
        "Five starts within ten seconds end the restarts for good, unless StartLimitIntervalSec or StartLimitBurst says otherwise.",
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
            text: "[Service]\nExecStart=/usr/bin/agent\nRestart=always\nRestartSec=1\nRestartSteps=2\nRestartMaxDelaySec=100\n",
            waits: &[(1.0, 1.0), (10.0, 10.0), (100.0, 100.0)],
        },
        Example { text: "[Service]\nRestart=on-failure\nRestartSec=3s\n", waits: &[(3.0, 3.0), (3.0, 3.0)] },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let own = ["RestartSec", "RestartSteps", "RestartMaxDelaySec"];
    let restarts = |item: &Item| item.get("Restart").and_then(Value::text).is_some_and(|t| t != "no" && t != "\"no\"");
    let service = |item: &Item| item.head.text == "Service" || item.get("ExecStart").is_some();
    let found = scan.items.iter().copied();
    let found = found.filter(|i| own.iter().any(|name| i.get(name).is_some()) || (restarts(i) && service(i)));
    found
        .map(|item| {
            let mut block = Block::new(item, Certainty::Certain);
            // Of several files in one text, a service belongs to the unit above it.
            let units = || scan.heads(&["Unit"]).filter(|unit| unit.form == Form::Section);
            let above = units().take_while(|unit| unit.span.start < item.span.start).last();
            block.others.extend(above.or_else(|| units().next()));
            block
        })
        .collect()
}

fn read(take: &mut Take) -> Policy {
    let item: &Item = take.block.item;
    let switched_off = item.get("Restart").and_then(Value::text) == Some("no");
    let mut args = take.main();
    let base_ms = args.time("RestartSec").unwrap_or(100.0);
    let steps = args.count("RestartSteps").unwrap_or(0);
    let max_ms = args.time("RestartMaxDelaySec");
    let spread_ms = args.time("RestartRandomizedDelaySec").unwrap_or(0.0);
    let grows = steps > 0 && base_ms > 0.0 && max_ms.is_some_and(|max| base_ms < max);
    for (name, needs) in [("RestartSteps", "RestartMaxDelaySec"), ("RestartMaxDelaySec", "RestartSteps")] {
        if let Some(value) = args.value(name).filter(|_| !args.has(needs)) {
            let message = format!("{name} has no effect without {needs}: every restart waits RestartSec.");
            args.take.warning("no-effect", value.span, message);
        }
    }
    const KNOWN: &[&str] = &["no", "always", "on-success", "on-failure", "on-abnormal", "on-watchdog", "on-abort"];
    let restart = item.get("Restart").and_then(|v| Some((v, v.text()?)));
    if let Some((value, word)) = restart.filter(|(v, t)| !KNOWN.contains(&t.trim_matches('"')) && !v.is_placeholder()) {
        let what = format!("is `{word}`, which is none of {}: systemd ignores the line", KNOWN.join(", "));
        args.take.refuse("Restart", value, &what);
    }
    args.unknown_names_from("Restart", "a setting of a service", "systemd ignores it");
    if let Some(value) = item.get("StartLimitIntervalSec") {
        let message = "StartLimitIntervalSec stands in [Service], where systemd ignores it: it belongs in [Unit].";
        args.take.error("misplaced-key", value.span, message);
    }
    if switched_off {
        return Policy::single_call();
    }
    let delay = |k: u64| match (grows, max_ms) {
        (true, Some(max)) => climb(base_ms, max, steps).get(k as usize - 1).copied().unwrap_or(max),
        _ => base_ms,
    };
    limits(take, &delay);
    let wait = match (grows, max_ms) {
        (true, Some(max)) => {
            Wait::new(Backoff::List { delays_ms: climb(base_ms, max, steps), after: After::RepeatLast })
        }
        _ => Wait::new(Backoff::Constant { delay_ms: base_ms }),
    };
    let jitter = match spread_ms > 0.0 {
        true => Jitter::Additive { min_ms: 0.0, max_ms: spread_ms },
        false => Jitter::None,
    };
    Policy::new(wait.jitter(jitter), None)
}

/// The steps from the first delay to the maximum, in whole microseconds.
fn climb(base_ms: f64, max_ms: f64, steps: u64) -> Vec<f64> {
    let whole = |ms: f64| (ms * 1_000.0).floor() / 1_000.0;
    let at = |i: u64| match i {
        0 => base_ms,
        i if i >= steps => max_ms,
        i => whole(base_ms * libm::pow(max_ms / base_ms, i as f64 / steps as f64) + 1e-9),
    };
    (0..=steps.min(10_000)).map(at).collect()
}

/// The start limit bounds restarts on its own clock: so many starts in a window, which the first of them opens.
fn limits<'t>(take: &mut Take<'t>, delay: &dyn Fn(u64) -> f64) {
    let service = take.block.item;
    let mut units = take.block.others.iter().copied().chain([service]);
    let unit = units.find(|i| {
        let interval = i.get("StartLimitIntervalSec").is_some() && i.span != service.span;
        interval || i.get("StartLimitBurst").is_some() || i.get("StartLimitInterval").is_some()
    });
    let mut args = match unit {
        Some(unit) => take.of(unit, "Unit"),
        None => take.of_call(&[], service.span, "Unit"),
    };
    let (window_ms, burst) =
        (args.time("StartLimitIntervalSec").unwrap_or(10_000.0), args.count("StartLimitBurst").unwrap_or(5));
    if window_ms == 0.0 || burst == 0 {
        return;
    }
    // A service that fails at once starts again after each delay.
    let (mut at_ms, mut opened_ms, mut starts) = (0.0, 0.0, 1);
    let mut ends = None;
    for k in 1..=1_000 {
        at_ms += delay(k);
        if at_ms > opened_ms + window_ms {
            (opened_ms, starts) = (at_ms, 1);
        } else if starts < burst {
            starts += 1;
        } else {
            ends = Some(k - 1);
            break;
        }
    }
    let limit = format!("The start limit, {burst} starts within {} s,", window_ms / 1e3);
    let message = match ends {
        Some(n) => format!("{limit} ends the restarts for good after {n} where the service fails at once."),
        None => format!("{limit} is never reached at these waits: the restarts go on for ever."),
    };
    let place = unit.map_or(service.span, |unit| unit.span);
    take.note("start-limit", place, message).help = "StartLimitIntervalSec=0 in [Unit] lifts it.".into();
}
