//! backoff: decorators that take a generator of waits and its settings side by side.

use super::{is_bare, is_from, not_followed, nothing};
use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::{self, Answer};
use crate::notation::item::path_ends_with;
use crate::notation::{Form, Kind, Value};
use crate::policy::{After, Backoff, Clock, Deadline, Jitter, Overrun, Policy, Wait};

/// backoff 2.2.
pub static LIBRARY: Library = Library {
    id: "backoff",
    title: "backoff",
    ecosystem: "Python",
    version: "2.2.1",
    source: "backoff/_wait_gen.py, backoff/_jitter.py, backoff/_common.py, backoff/_sync.py",
    counts: "calls, the first included (max_tries)",
    formula: "expo: jitter(min(factor * base^(k-1), max_value)), full jitter unless another is given",
    words: &[
        "backoff.on_exception",
        "backoff.on_predicate",
        "on_exception",
        "on_predicate",
        "backoff.expo",
        "full_jitter",
    ],
    settings: &[
        Setting::other("wait_gen").at(0),
        Setting::other("exception|predicate").at(1),
        Setting::number("max_tries", "retries", ""),
        Setting::time("max_time", "deadline", Unit::Second, "").plain(),
        Setting::other("jitter"),
        Setting::other("giveup"),
        Setting::other("on_success"),
        Setting::other("on_backoff"),
        Setting::other("on_giveup"),
        Setting::other("raise_on_giveup"),
        Setting::other("logger"),
        Setting::other("backoff_log_level"),
        Setting::other("giveup_log_level"),
        Setting::number("base", "factor", "2"),
        Setting::time("factor", "baseMs", Unit::Second, "1").plain(),
        Setting::time("max_value", "capMs", Unit::Second, "").plain(),
        Setting::time("interval", "baseMs", Unit::Second, "1").plain(),
        Setting::other("value"),
    ],
    notes: &[
        "Full jitter is on unless `jitter=None` is written.",
        "Nothing bounds the tries unless max_tries or max_time is given; max_tries=0 never stops.",
        "With an interval list the retrying ends with the list, whatever max_tries says.",
        "random_jitter adds up to one second after the cap, so a wait can pass max_value.",
        "Each sleep is cut to what is left of max_time, and one last call follows.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import backoff\n\n@backoff.on_exception(\n    «*»,\n    max_tries=«calls|None»,\n    max_time=«shorten:s|None»,\n)\ndef call(): ...\n",
        "backoff.constant,\n    Exception,\n    interval=«delay:s»,\n    jitter=«full?backoff.full_jitter:None»",
        "backoff.expo,\n    Exception,\n    base=«factor»,\n    factor=«base:s»,\n    max_value=«cap:s|None»,\n    jitter=«full?backoff.full_jitter:None»",
        "backoff.fibo,\n    Exception,«fibonacci:-»\n    max_value=«cap:s|None»,\n    jitter=«full?backoff.full_jitter:None»",
        "backoff.constant,\n    Exception,\n    interval=«delay:s»,\n    jitter=«most:-»backoff.random_jitter",
        "backoff.expo,\n    Exception,\n    base=«factor»,\n    factor=«base:s»,\n    max_value=«cap:s|None»,\n    jitter=«most:-»backoff.random_jitter",
        "backoff.constant,\n    Exception,\n    interval=[«list:s»],\n    jitter=«random?backoff.random_jitter:None»",
        "backoff.constant,\n    Exception,\n    interval=[«delays:s»],\n    jitter=None",
    ],
    examples: &[
        Example {
            text: "import backoff\nimport httpx\n\n@backoff.on_exception(\n    backoff.expo,\n    httpx.HTTPError,\n    factor=0.5,\n    max_value=3,\n    max_tries=5,\n)\ndef load_prices():\n    return httpx.get(PRICES_URL)\n",
            waits: &[(0.0, 0.5), (0.0, 1.0), (0.0, 2.0), (0.0, 3.0)],
        },
        Example {
            text: "@backoff.on_predicate(backoff.fibo, jitter=None, max_value=8, max_tries=7)\ndef poll_export():\n    return export.is_ready()\n",
            waits: &[(1.0, 1.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (5.0, 5.0), (8.0, 8.0)],
        },
        Example {
            text: "from backoff import constant, on_exception, random_jitter\n\n@on_exception(constant, OSError, interval=[2, 6], jitter=random_jitter)\ndef mount():\n    nas.mount()\n",
            waits: &[(2.0, 3.0), (6.0, 7.0)],
        },
    ],
};

const DECORATORS: &[&str] = &["on_exception", "on_predicate"];

/// The generators and their own settings.
const GENERATORS: &[(&str, &[&str])] = &[
    ("expo", &["base", "factor", "max_value"]),
    ("fibo", &["max_value"]),
    ("constant", &["interval"]),
    ("runtime", &["value"]),
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["backoff"]);
    let mut blocks = Vec::new();
    for item in scan.heads(DECORATORS).filter(|i| matches!(i.form, Form::Annotation | Form::Call)) {
        if is_from(item, "backoff", DECORATORS) || (imported && is_bare(item, DECORATORS)) {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if is_bare(item, DECORATORS) && item.at(0).is_some_and(|v| generator(v).is_some()) {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
    blocks
}

/// The generator that a value names, and the names of its settings.
fn generator(value: &Value) -> Option<(&'static str, &'static [&'static str])> {
    let head = match &value.kind {
        Kind::Word(word) => word.as_str(),
        Kind::Item(item) => item.head.text.as_str(),
        _ => return None,
    };
    GENERATORS.iter().copied().find(|(name, _)| path_ends_with(head, name))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = take.main().called();
    let written = args.value("wait_gen");
    let known = written.and_then(generator);
    let owner = known.map_or("this generator", |(name, _)| name);
    args.unknown_names(
        &format!("an argument of `{}` or of `{owner}`", last(&item.head.text)),
        "it goes to the generator, and Python raises TypeError at the first failure",
    );
    for name in ["base", "factor", "max_value", "interval", "value"] {
        let belongs = known.is_none_or(|(_, own)| own.contains(&name));
        if let Some(value) = args.value(name).filter(|_| !belongs) {
            let message =
                format!("`{name}` is not an argument of `{owner}`; Python raises TypeError at the first failure.");
            args.take.error("unknown-key", value.span, message);
        }
    }
    match written {
        Some(value) if value.item().is_some() && known.is_some() => {
            let message =
                format!("`{owner}` is called here; the decorator calls it itself, and Python raises TypeError.");
            args.take.error("bad-value", value.span, message).help =
                "Write it without brackets and its settings beside it.".into();
        }
        Some(_) => {}
        None => {
            let message = format!("No generator of waits is given; {}.", super::TYPE_ERROR);
            args.take.error("missing-key", item.span, message);
        }
    }
    let (mut wait, listed) = curve(&mut args, known.map(|(name, _)| name));
    let jitter = item.get("jitter");
    let retries = tries(&mut args);
    let limit_ms = match args.value("max_time") {
        Some(value) if value.fun().is_some() => constant_of(value).map(|seconds| seconds * 1e3).or_else(|| {
            let message = "`max_time` is computed at run time: how long it may take is not known.";
            not_followed(args.take, "deadline", value.span, message);
            None
        }),
        _ => args.time("max_time"),
    };
    let retries = retries.into_iter().chain(listed).min();
    let own = jitter.and_then(Value::fun).filter(|fun| fun.params.len() == 1);
    let computed = own.map(|fun| {
        // A function of one's own is given the wait in seconds.
        let plain = wait.clone();
        let seconds = move |k| vec![plain.backoff.delay_ms(k).min(plain.cap_ms.unwrap_or(f64::INFINITY)) / 1e3];
        let inputs = Inputs::positional(seconds).unit_ms(1e3);
        let jittered = computed::policy(take, "jitter", fun, inputs, retries);
        take.origin("jitter", jitter.map_or(item.span, |v| v.span));
        jittered
    });
    let mut policy = computed.unwrap_or_else(|| {
        wait.jitter = jittered(take, jitter);
        Policy::new(wait, retries)
    });
    policy.deadline = limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Shorten, clock: Clock::Elapsed });
    policy
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The rule before jitter, and how many waits it has where it ends by itself.
fn curve(args: &mut Args, generator: Option<&str>) -> (Wait, Option<u64>) {
    match generator {
        Some("expo") => (expo(args), None),
        Some("fibo") => (Wait::new(Backoff::Fibonacci { base_ms: 1_000.0 }).cap(args.time("max_value")), None),
        Some("constant") => constant(args),
        _ => {
            let span = args.value("wait_gen").map_or(args.head(), |v| v.span);
            let message = "This generator's waits are not known from the text.";
            not_followed(args.take, "baseMs", span, message);
            (nothing(), None)
        }
    }
}

/// The cap stays once it is reached, even where a base below 1 would fall under it again.
fn expo(args: &mut Args) -> Wait {
    let base_ms = args.time("factor").unwrap_or(0.0);
    let factor = args.number("base").unwrap_or(2.0);
    let cap_ms = args.time("max_value");
    if let Some(value) = args.value("base").filter(|_| factor < 0.0) {
        args.take.refuse("base", value, "is negative, so every second wait would be");
    }
    match cap_ms {
        Some(delay_ms) if factor < 1.0 && base_ms >= delay_ms => Wait::new(Backoff::Constant { delay_ms }),
        cap_ms => Wait::new(Backoff::Exponential { base_ms, factor: factor.max(0.0) }).cap(cap_ms),
    }
}

fn constant(args: &mut Args) -> (Wait, Option<u64>) {
    let Some(entries) = args.value("interval").and_then(Value::list) else {
        return (Wait::new(Backoff::Constant { delay_ms: args.time("interval").unwrap_or(1_000.0) }), None);
    };
    let mut delays_ms = Vec::new();
    for entry in entries {
        match entry.number() {
            None if entry.is_undefined() => {
                args.take.time("interval", "baseMs", entry, Some(Unit::Second));
                delays_ms.push(0.0);
            }
            Some(_) => delays_ms.extend(args.take.time("interval", "baseMs", entry, Some(Unit::Second))),
            None => {
                args.take.refuse("interval", entry, &format!("must hold numbers of seconds, not {}", entry.describe()));
            }
        }
    }
    let count = delays_ms.len() as u64;
    (Wait::new(Backoff::List { delays_ms, after: After::Stop }), Some(count))
}

/// The retries that max_tries leaves: it is compared for equality, so what no count of calls equals never stops.
fn tries(args: &mut Args) -> Option<u64> {
    let value = args.value("max_tries")?;
    let calls = match constant_of(value) {
        Some(calls) => {
            args.take.origin("retries", value.span);
            calls
        }
        None if matches!(value.kind, Kind::Fun(_)) => {
            let message = "`max_tries` is computed at run time: how many calls there are is not known.";
            not_followed(args.take, "retries", value.span, message);
            return None;
        }
        None => args.number("max_tries")?,
    };
    if calls < 1.0 || calls.fract() != 0.0 {
        let message = format!("`max_tries` is {calls}, which no count of calls ever equals: it never gives up.");
        args.take.warning("never-equal", value.span, message).help = "Write a whole number from 1 on.".into();
        return None;
    }
    calls.is_finite().then_some(calls as u64 - 1)
}

/// What a function without parameters always returns: settings may be such functions, called once per run.
fn constant_of(value: &Value) -> Option<f64> {
    match formula::run(value.fun()?, &[]).answer {
        Answer::Number(number) => number.known(),
        _ => None,
    }
}

fn jittered(take: &mut Take, written: Option<&Value>) -> Jitter {
    let Some(value) = written else {
        take.default("jitter", "full_jitter");
        return Jitter::Full;
    };
    take.origin("jitter", value.span);
    match &value.kind {
        _ if value.is_null() => Jitter::None,
        Kind::Word(word) if path_ends_with(word, "full_jitter") => Jitter::Full,
        Kind::Word(word) if path_ends_with(word, "random_jitter") => Jitter::Additive { min_ms: 0.0, max_ms: 1_000.0 },
        Kind::Fun(_) | Kind::Word(_) if value.flag().is_none() => {
            not_followed(
                take,
                "jitter",
                value.span,
                "`jitter` is a function of one's own: what it makes of a wait is not known.",
            );
            Jitter::Full
        }
        _ => {
            let what = format!(
                "must be a function or None, not {}; Python raises TypeError at the first failure",
                value.describe()
            );
            take.refuse("jitter", value, &what);
            Jitter::Full
        }
    }
}
