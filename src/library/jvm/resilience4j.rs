//! Resilience4j: retry instances in YAML or properties, and the Java builders.

use crate::duration::Unit;
use crate::library::computed::{self, Inputs};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::formula::{self, Answer, Input, Spread};
use crate::notation::{Crumb, Form, Fun, Item, Statement, Value};
use crate::policy::{After, Backoff, CapOrder, Jitter, Policy, Rounded, RoundingMode, Wait};

/// Resilience4j 2.
pub static LIBRARY: Library = Library {
    id: "resilience4j",
    title: "Resilience4j",
    ecosystem: "Java",
    version: "2.x (af9e7c979, 2026-05)",
    source: "IntervalFunction.java, RetryConfig.java, CommonRetryConfigurationProperties.java",
    counts: "calls, the first included (maxAttempts)",
    formula: "waitDuration * exponentialBackoffMultiplier^(k-1), each step cut to whole ms",
    words: &[
        "resilience4j",
        "resilience4j.retry",
        "RESILIENCE4J",
        "RetryConfig.custom",
        "IntervalFunction",
        "Retry.ofDefaults",
        "RetryConfig.ofDefaults",
        "RetryConfig",
        "RetryConfigCustomizer",
    ],
    settings: &[
        Setting::count("maxAttempts", "retries", "3"),
        Setting::time("waitDuration", "baseMs", Unit::Millisecond, "500"),
        Setting::flag("enableExponentialBackoff", "backoff", "false"),
        Setting::number("exponentialBackoffMultiplier", "factor", "1.5"),
        Setting::time("exponentialMaxWaitDuration", "capMs", Unit::Millisecond, ""),
        Setting::flag("enableRandomizedWait", "jitter", "false"),
        Setting::number("randomizedWaitFactor", "jitter", "0.5"),
        Setting::other("build"),
        Setting::other("intervalFunction"),
        Setting::other("intervalBiFunction"),
        Setting::other("baseConfig"),
        Setting::other("retryExceptions"),
        Setting::other("ignoreExceptions"),
        Setting::other("retryExceptionPredicate"),
        Setting::other("retryOnException"),
        Setting::other("retryOnResult"),
        Setting::other("resultPredicate"),
        Setting::other("consumeResultBeforeRetryAttempt"),
        Setting::other("failAfterMaxAttempts"),
        Setting::other("eventConsumerBufferSize"),
        Setting::other("registerHealthIndicator"),
        Setting::other("writableStackTraceEnabled"),
    ],
    notes: &[
        "maxAttempts counts the first call.",
        "In YAML and properties the exponential and the random flag act only when waitDuration is written.",
        "exponentialMaxWaitDuration is used only when the multiplier is written too; with both flags it needs the factor as well.",
        "With both flags the cap acts after the jitter.",
        "The default multiplier is 1.5.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: true,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "resilience4j:\n  retry:\n    instances:\n      payments:\n        max-attempts: 4\n        wait-duration: 250ms\n        enable-exponential-backoff: true\n        exponential-backoff-multiplier: 3\n        exponential-max-wait-duration: 1s\n",
            waits: &[(0.25, 0.25), (0.75, 0.75), (1.0, 1.0)],
        },
        Example {
            text: "RetryConfig config = RetryConfig.custom()\n    .maxAttempts(3)\n    .waitDuration(Duration.ofSeconds(2))\n    .build();\n",
            waits: &[(2.0, 2.0), (2.0, 2.0)],
        },
        Example {
            text: "resilience4j.retry.instances.search.max-attempts=3\nresilience4j.retry.instances.search.wait-duration=1s\n",
            waits: &[(1.0, 1.0), (1.0, 1.0)],
        },
    ],
};

/// How many intervals are followed.
const MOST: u64 = 1_000;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    for item in scan.items.iter().copied() {
        if let Some((name, _)) = instance(item) {
            blocks.push(Block::new(item, Certainty::Certain).variant("keys").label(name));
        }
    }
    let mut code: Vec<&Item> = scan.items.iter().copied().filter_map(builder).collect();
    if code.is_empty() {
        let functions = scan.items.iter().copied().filter(|i| i.head.text.contains("IntervalFunction."));
        code = functions.filter(|i| i.form == Form::Call).collect();
    }
    let code = scan.outermost(code.into_iter());
    blocks.extend(code.into_iter().map(|item| Block::new(item, Certainty::Certain).variant("code")));
    blocks
}

/// What builds a configuration: the builder, Kotlin's block of calls, or what a customizer does to the builder.
fn builder(item: &Item) -> Option<&Item> {
    let called = |name: &str| item.args.iter().filter_map(|a| a.value.item()).any(|i| i.is(name));
    let block = item.is("RetryConfig") && ["maxAttempts", "waitDuration", "intervalFunction"].into_iter().any(called);
    if item.form == Form::Call
        && (block || item.is_any(&["RetryConfig.custom", "RetryConfig.ofDefaults", "Retry.ofDefaults"]))
    {
        return Some(item);
    }
    let fun = item.is("RetryConfigCustomizer.of").then(|| item.at(1)?.fun()).flatten()?;
    fun.body.iter().find_map(|statement| match statement {
        Statement::Expr(value) | Statement::Return(value) => value.item(),
        Statement::Bind(..) | Statement::If(..) => None,
    })
}

/// The name of the retry instance that an item configures and what holds it, by where it stands: below
/// `resilience4j.retry.instances`, `.configs` or `.backends`.
fn instance(item: &Item) -> Option<(String, &str)> {
    let mut path: Vec<&str> = Vec::new();
    for crumb in &item.place {
        match crumb {
            Crumb::Key(key) => path.extend(key.split('.')),
            Crumb::Index(_) => return None,
        }
    }
    let holders = ["instances", "configs", "backends"];
    match path.as_slice() {
        [.., "resilience4j", "retry", holder, name] if holders.contains(holder) => Some((name.to_string(), holder)),
        [.., "resilience4j", "retry", name] if !holders.contains(name) => {
            item.get("maxAttempts").or(item.get("waitDuration")).map(|_| (name.to_string(), "instances"))
        }
        _ => None,
    }
}

/// The shared configuration that an instance builds on: the one it names, else the one called `default`.
fn base<'t>(take: &mut Take<'t>, item: &'t Item) -> Option<&'t Item> {
    let named = take.of(item, "").value("baseConfig").and_then(Value::text).map(str::to_string);
    let own = instance(item)?;
    let wanted = named.unwrap_or_else(|| "default".to_string());
    if own == (wanted.clone(), "configs") {
        return None;
    }
    let mut configs = take.scan.items.iter().copied().filter(|i| i.span != item.span);
    configs.find(|i| instance(i) == Some((wanted.clone(), "configs")))
}

fn read(take: &mut Take) -> Policy {
    match take.block.variant {
        "keys" => keys(take),
        _ => code(take),
    }
}

fn attempts(args: &mut Args) -> Option<u64> {
    let calls = args.count("maxAttempts").unwrap_or(3);
    if let Some(value) = args.value("maxAttempts").filter(|v| calls < 1 && v.number() == Some(0.0)) {
        args.take.refuse("maxAttempts", value, "must be at least 1");
    }
    Some(calls.saturating_sub(1))
}

fn keys<'t>(take: &mut Take<'t>) -> Policy {
    let own = take.block.item;
    let base = base(take, own);
    let mapped = take.main().value("waitDuration").filter(|v| v.item().is_some_and(|i| i.form == Form::Map));
    if let Some(value) = mapped {
        let message = "`wait-duration` is written as a mapping, which does not bind to a duration: the default of 500 ms, \
                       fixed, is used and the exponential and random settings have no effect.";
        take.error("not-bound", value.span, message).help = "Write it in one value: `wait-duration: 2s`.".into();
    }
    let both: Vec<&'t Item> = [own].into_iter().chain(base).collect();
    let retries = attempts(&mut Layers { take, among: &both }.args("maxAttempts"));
    // The interval of an instance without a wait of its own is that of its base, made of the base's settings alone.
    let written = |take: &mut Take<'t>, item: &'t Item| take.of(item, "").has("waitDuration");
    let own_wait = written(take, own) && mapped.is_none();
    let inherits = !own_wait && mapped.is_none() && base.is_some_and(|base| written(take, base));
    let among: Vec<&'t Item> = if inherits { base.into_iter().collect() } else { both };
    take.main().unknown_names("a key of a retry instance", "it is ignored");
    if let Some(name) = base.and_then(instance).map(|(name, _)| name) {
        let place = take.main().value("baseConfig").map_or(own.span, |v| v.span);
        let message = format!("What is not written here comes from `configs.{name}`.");
        take.note("inherited", place, message);
        for flag in ["enableExponentialBackoff", "enableRandomizedWait"] {
            if let Some(value) = take.main().value(flag).filter(|v| inherits && v.flag() == Some(true)) {
                let message = format!(
                    "`{flag}` acts only beside a waitDuration of the same instance: the interval of `configs.{name}` is used."
                );
                take.warning("no-effect", value.span, message);
            }
        }
    }
    let wait = keyed_interval(take, &among, own_wait || inherits, mapped.is_some());
    Policy::new(wait, retries)
}

/// The interval that the keys of these items give, the first that has a key winning.
fn keyed_interval<'t>(take: &mut Take<'t>, among: &[&'t Item], waits: bool, mapped: bool) -> Wait {
    let mut of = Layers { take, among };
    let base_ms = if mapped { 500.0 } else { of.args("waitDuration").time("waitDuration").unwrap_or(500.0) };
    let [grows, random] = ["enableExponentialBackoff", "enableRandomizedWait"].map(|flag| of.args(flag).flag(flag));
    if !mapped && !waits && (grows || random) {
        let flag = if grows { "enableExponentialBackoff" } else { "enableRandomizedWait" };
        let args = of.args(flag);
        let place = args.value(flag).map_or(args.span, |v| v.span);
        let message =
            format!("`{flag}` acts only when waitDuration is written; the default of 500 ms, fixed, is used.");
        args.take.warning("no-effect", place, message);
    }
    let (grows, random) = (grows && waits, random && waits);
    let mut args = of.args("exponentialBackoffMultiplier");
    let with_factor = args.has("exponentialBackoffMultiplier");
    let factor = if grows { positive(&mut args, "exponentialBackoffMultiplier", 1.5) } else { 1.0 };
    // The share of a base does not reach its instances.
    of.among = &of.among[..1];
    let mut args = of.args("randomizedWaitFactor");
    let with_share = args.has("randomizedWaitFactor");
    let share = if random { args.number("randomizedWaitFactor").unwrap_or(0.5) } else { 0.0 };
    unit_interval(&mut args, "randomizedWaitFactor", share);
    if let Some(value) = args.value("randomizedWaitFactor").filter(|v| v.number() == Some(1.0)) {
        args.take.refuse("randomizedWaitFactor", value, "must be less than 1 in a configuration");
    }
    of.among = among;
    let mut args = of.args("exponentialMaxWaitDuration");
    let cap_ms = if grows { args.time("exponentialMaxWaitDuration") } else { None };
    let used = with_factor && (!random || with_share);
    if let Some(value) = args.value("exponentialMaxWaitDuration").filter(|_| !(grows && used)) {
        let needs = match (grows, with_factor) {
            (false, _) => "enableExponentialBackoff",
            (true, false) => "exponentialBackoffMultiplier",
            (true, true) => "randomizedWaitFactor as well",
        };
        let message = format!("exponentialMaxWaitDuration is ignored here: it needs {needs} to be written.");
        args.take.warning("no-effect", value.span, message);
    }
    interval(base_ms, factor, share, cap_ms.filter(|_| used))
}

/// Several items with the same keys; the first that has one gives it.
struct Layers<'a, 't> {
    take: &'a mut Take<'t>,
    among: &'a [&'t Item],
}

impl<'t> Layers<'_, 't> {
    fn args(&mut self, name: &str) -> Args<'_, 't> {
        let at = self.among.iter().position(|item| self.take.of(item, "").has(name)).unwrap_or(0);
        self.take.of(self.among[at], "")
    }
}

/// The wait of an interval function: whole ms at every step; a random one draws around it and is then cut.
fn interval(base_ms: f64, factor: f64, share: f64, cap_ms: Option<f64>) -> Wait {
    let curve = match factor {
        1.0 => Backoff::Constant { delay_ms: base_ms },
        _ => Backoff::Exponential { base_ms, factor },
    };
    let wait = Wait::new(curve).cap(cap_ms);
    match share {
        0.0 => wait.rounding(RoundingMode::Floor, 1.0, Rounded::Delay),
        _ => {
            let jitter = Jitter::Proportional { below: share, above: share };
            wait.jitter(jitter).cap_order(CapOrder::AfterJitter)
        }
    }
}

fn positive(args: &mut Args, name: &str, default: f64) -> f64 {
    let number = args.number(name).unwrap_or(default);
    if let Some(value) = args.value(name).filter(|_| number <= 0.0) {
        args.take.refuse(name, value, "must be greater than 0");
        return default;
    }
    number
}

fn unit_interval(args: &mut Args, name: &str, share: f64) {
    if let Some(value) = args.value(name).filter(|_| !(0.0..=1.0).contains(&share)) {
        args.take.refuse(name, value, "must be between 0 and 1");
    }
}

fn code(take: &mut Take) -> Policy {
    let item = take.block.item;
    if item.is_any(&["Retry.ofDefaults", "RetryConfig.ofDefaults"]) {
        take.note("defaults", item.head.span, "The defaults are used: 3 calls, 500 ms apart.");
    }
    let mut args = take.main();
    if item.is("RetryConfig.custom") {
        args.unknown_calls("");
    }
    let alone = item.head.text.contains("IntervalFunction.");
    let retries = if alone { None } else { attempts(&mut args) };
    let retries = retries.or_else(|| {
        args.take.default("retries", "3 calls");
        Some(2)
    });
    let given = ["intervalFunction", "intervalBiFunction"].into_iter().find_map(|n| Some((n, args.value(n)?)));
    let function = given.and_then(|(_, v)| v.item()).or(alone.then_some(item));
    let wait = match (function, given) {
        (Some(function), _) => interval_function(take, function, retries),
        (None, Some((name, value))) => match value.fun() {
            Some(fun) => {
                return computed::policy(take, name, fun, Inputs::positional(|k| vec![k as f64]), retries);
            }
            None => return computed::not_a_function(take, name, value, retries),
        },
        (None, None) => {
            let base_ms = args.time("waitDuration").unwrap_or(500.0);
            interval(base_ms, 1.0, 0.0, None)
        }
    };
    Policy::new(wait, retries)
}

/// `IntervalFunction.of…(…)`: its arguments by position.
fn interval_function<'t>(take: &mut Take<'t>, function: &'t Item, retries: Option<u64>) -> Wait {
    let random = function.head.text.contains("Random");
    let grows = function.head.text.contains("Exponential");
    let value = |i: usize| function.at(i);
    let unit = Some(Unit::Millisecond);
    let time =
        |take: &mut Take<'t>, name: &'static str, field: &'static str, v: &'t Value| take.time(name, field, v, unit);
    let base_ms = value(0).and_then(|v| time(take, "interval", "baseMs", v)).unwrap_or(500.0);
    if let Some(v) = value(0).filter(|_| base_ms < 1.0) {
        take.refuse("interval", v, "must be at least 1 ms");
    }
    if let Some(fun) = value(1).and_then(Value::fun) {
        return iterated(take, base_ms, fun, retries);
    }
    let mut next = 1;
    let mut number = |take: &mut Take<'t>, name: &'static str, field: &'static str, default: f64| {
        let Some(v) = function.at(next).filter(|v| v.number().is_some()) else {
            take.default(field, default.to_string());
            return default;
        };
        next += 1;
        let given = take.number(name, field, v).unwrap_or(default);
        let wrong = match name {
            "multiplier" => (given <= 0.0).then_some("must be greater than 0"),
            _ => (!(0.0..=1.0).contains(&given)).then_some("must be between 0 and 1"),
        };
        if let Some(wrong) = wrong {
            take.refuse(name, v, wrong);
        }
        given
    };
    let factor = if grows { number(take, "multiplier", "factor", 1.5) } else { 1.0 };
    let share = if random { number(take, "randomizationFactor", "jitter", 0.5) } else { 0.0 };
    let cap_ms = if grows { value(next).and_then(|v| time(take, "maxInterval", "capMs", v)) } else { None };
    interval(base_ms, factor, share, cap_ms)
}

/// `IntervalFunction.of(first, x -> …)`: each interval is made from the one before.
fn iterated(take: &mut Take, base_ms: f64, fun: &Fun, retries: Option<u64>) -> Wait {
    let mut delays_ms = vec![base_ms];
    for _ in 1..retries.unwrap_or(MOST).min(MOST) {
        let last = delays_ms.last().copied().unwrap_or(base_ms);
        match formula::run(fun, &[Input::At(0, Spread::fixed(last))]).answer {
            Answer::Number(next) => delays_ms.push(next.known().unwrap_or(last).floor()),
            _ => {
                take.unknown.push("backoff");
                let span = take.block.item.head.span;
                let message =
                    "How the interval grows is a function that this page cannot run; it is taken as constant.";
                take.note("unread-formula", span, message);
                break;
            }
        }
    }
    Wait::new(Backoff::List { delays_ms, after: After::RepeatLast })
}
