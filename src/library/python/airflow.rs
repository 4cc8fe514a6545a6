//! Airflow: the retry arguments of an operator or task, and the defaults of a DAG.

use super::{TYPE_ERROR, definition, is_bare, misspelt};
use crate::duration::Unit;
use crate::library::near::slipped;
use crate::library::scan::in_order;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item};
use crate::policy::{Backoff, CapOrder, Jitter, Law, Policy, Rounded, RoundingMode, Wait};

/// Airflow 3.
pub static LIBRARY: Library = Library {
    id: "airflow",
    title: "Airflow",
    ecosystem: "Python",
    version: "3.3.2",
    source: "airflow/models/taskinstance.py, airflow/sdk/bases/operator.py",
    counts: "retries",
    formula: "retry_delay; with backoff m + (hash mod m) whole seconds, m = ceil(retry_delay * multiplier^(k-1)), capped",
    words: &[
        "airflow",
        "retries",
        "airflow.sdk",
        "airflow.decorators",
        "default_args",
        "retry_exponential_backoff",
        "max_retry_delay",
        "retry_delay",
        "default_task_retries",
        "default_task_retry_delay",
        "AIRFLOW__CORE__DEFAULT_TASK_RETRIES",
        "AIRFLOW__CORE__DEFAULT_TASK_RETRY_DELAY",
    ],
    settings: &[
        Setting::count("retries", "retries", "0"),
        Setting::time("retry_delay", "baseMs", Unit::Second, "300").typed(),
        Setting::number("retry_exponential_backoff", "factor", "0"),
        Setting::time("max_retry_delay", "capMs", Unit::Second, "").typed(),
        Setting::time("execution_timeout", "attemptTimeoutMs", Unit::Second, "").typed(),
        Setting::other("email_on_retry"),
        Setting::other("on_retry_callback"),
        Setting::other("retry_policy"),
        Setting::count("default_task_retries|AIRFLOW__CORE__DEFAULT_TASK_RETRIES", "retries", "0").of("core"),
        Setting::time(
            "default_task_retry_delay|AIRFLOW__CORE__DEFAULT_TASK_RETRY_DELAY",
            "baseMs",
            Unit::Second,
            "300",
        )
        .of("core"),
        Setting::other("wait_for_downstream"),
        Setting::other("wait_for_past_depends_before_skipping"),
        Setting::other("wait_for_completion"),
    ],
    notes: &[
        "A task is not retried unless retries is written or the DAG's defaults say so.",
        "With backoff a wait is up to twice the formula: a hash of the task instance is added, the same at every look.",
        "retry_exponential_backoff is a multiplier in Airflow 3: True is 2.0, and 1.0 is off.",
        "max_retry_delay acts with backoff only; no such wait passes one day in any case.",
        "The scheduler adds some seconds to every wait.",
    ],
    releases: &["Airflow 3", "Airflow 2"],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "from datetime import timedelta\n\nfrom airflow.sdk import task\n\n@task(\n    retries=4,\n    retry_delay=timedelta(seconds=20),\n    retry_exponential_backoff=True,\n    max_retry_delay=timedelta(minutes=2),\n)\ndef load_invoices():\n    ...\n",
            waits: &[(20.0, 39.0), (40.0, 79.0), (80.0, 120.0), (120.0, 120.0)],
        },
        Example {
            text: "default_args = {\n    \"owner\": \"billing\",\n    \"retries\": 2,\n    \"retry_delay\": timedelta(minutes=3),\n}\n",
            waits: &[(180.0, 180.0), (180.0, 180.0)],
        },
    ],
};

const KEYS: &[&str] = &["retries", "retry_delay", "retry_exponential_backoff", "max_retry_delay"];

/// `core.max_task_retry_delay` as it is shipped.
const ONE_DAY_MS: f64 = 86_400_000.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let imported = scan.imports(&["airflow"]);
    let has = |item: &Item, keys: &[&str]| keys.iter().any(|key| item.get(key).is_some());
    let defaults: Vec<&Item> = (scan.items.iter().copied()).filter(|i| is_defaults(i) && has(i, KEYS)).collect();
    let mut blocks: Vec<Block> = Vec::new();
    for item in defaults.iter().copied() {
        let sure = imported || has(item, &KEYS[2..]);
        blocks.push(Block::new(item, if sure { Certainty::Certain } else { Certainty::Likely }));
    }
    for item in scan.items.iter().copied().filter(|item| matches!(item.form, Form::Call | Form::Annotation)) {
        let task = item.form == Form::Annotation && is_task(item);
        let certainty = match () {
            () if !(task || is_operator(item)) => continue,
            () if has(item, &KEYS[2..]) => Certainty::Certain,
            () if has(item, KEYS) && imported => Certainty::Certain,
            () if imported && !task && slipped(item, KEYS) => Certainty::Certain,
            () if task && item.head.text.starts_with("airflow.") && defaults.is_empty() => Certainty::Certain,
            () if has(item, &["retry_delay"]) => Certainty::Likely,
            () if has(item, &["retries"]) && (is_operator(item) || is_bare(item, &["task"])) => Certainty::Possible,
            () => continue,
        };
        let mut block = Block::new(item, certainty);
        block.others = defaults.iter().copied().take(1).collect();
        blocks.push(block);
    }
    // `load.override(retries=4)` in the place of what its decorator says.
    for item in scan.heads(&["override"]).filter(|item| imported && has(item, KEYS)) {
        let task = definition(scan.items.iter().copied().filter(|i| i.form == Form::Annotation), item);
        blocks.retain(|block| task.is_none_or(|task| task.span != block.item.span));
        let mut block = Block::new(item, Certainty::Certain);
        block.others = task.into_iter().chain(defaults.iter().copied().take(1)).collect();
        blocks.push(block);
    }
    let core = ["default_task_retries", "AIRFLOW__CORE__DEFAULT_TASK_RETRIES"];
    blocks.extend(scan.with_any_key(&core).map(|item| Block::new(item, Certainty::Certain).variant("core")));
    let mut blocks = in_order(blocks);
    blocks.dedup_by_key(|block| block.item.span);
    blocks
}

/// Whether it is a map of defaults: bound to the name, or given under it.
fn is_defaults(item: &Item) -> bool {
    let named = item.target.as_ref().is_some_and(|target| target.text.ends_with("default_args"));
    let key = matches!(item.place.last(), Some(crate::notation::Crumb::Key(key)) if key == "default_args");
    (named || key) && (item.form == Form::Map || item.is("dict"))
}

/// `@task`, `@task.bash`, `@dag.task`.
fn is_task(item: &Item) -> bool {
    let head = item.head.text.as_str();
    let after = head.strip_prefix("airflow.sdk.").or(head.strip_prefix("airflow.decorators.")).unwrap_or(head);
    after == "dag.task" || after.split('.').next() == Some("task")
}

fn is_operator(item: &Item) -> bool {
    let name = item.head.text.rsplit('.').next().unwrap_or_default();
    item.form == Form::Call && (name.ends_with("Operator") || name.ends_with("Sensor")) && name.len() > 8
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    if take.block.variant == "core" {
        let mut args = take.of(item, "core");
        let retries = args.count("default_task_retries");
        let delay_ms = args.time("default_task_retry_delay").unwrap_or(300_000.0);
        return Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries);
    }
    misspelt(take, item, "", "an argument of an operator", TYPE_ERROR);
    let items: Vec<(&Item, &'static str)> =
        std::iter::once(item).chain(take.block.others.iter().copied()).map(|item| (item, "")).collect();
    let items = items.as_slice();
    if !KEYS.iter().any(|key| items.iter().any(|(i, _)| i.get(key).is_some())) {
        let message = "Nothing is written about retries: the task is not retried.";
        take.note("defaults", item.head.span, message).help = "Give `retries=` and `retry_delay=`.".into();
    }
    let retries = take.holding(items, "retries").count("retries").unwrap_or(0);
    let base_ms = take.holding(items, "retry_delay").time("retry_delay").unwrap_or(300_000.0);
    let factor = multiplier(&mut take.holding(items, "retry_exponential_backoff"));
    let mut args = take.holding(items, "max_retry_delay");
    let cap_ms = args.time("max_retry_delay");
    let wait = match factor {
        Some(factor) => backoff(base_ms, factor, cap_ms.unwrap_or(ONE_DAY_MS).min(ONE_DAY_MS), retries),
        None => {
            if let Some(value) = args.value("max_retry_delay").filter(|v| !v.is_null()) {
                let message = "`max_retry_delay` has no effect: it acts with `retry_exponential_backoff` only.";
                args.take.warning("no-effect", value.span, message);
            }
            Wait::new(Backoff::Constant { delay_ms: base_ms })
        }
    };
    if factor.is_some() && cap_ms.is_none() {
        take.default("capMs", "one day (core.max_task_retry_delay)");
    }
    let mut policy = Policy::new(wait, retries);
    policy.attempt_timeout_ms = take.holding(items, "execution_timeout").time("execution_timeout");
    policy
}

/// The multiplier, if the delay grows: True is 2, and so is anything but false in Airflow 2.
fn multiplier(args: &mut Args) -> Option<f64> {
    let (name, value) = args.written("retry_exponential_backoff").filter(|(_, value)| !value.is_null())?;
    if let Some(flag) = value.flag().filter(|_| value.number().is_none()) {
        args.take.origin("factor", value.span);
        return flag.then_some(2.0);
    }
    let number = args.take.number(&name, "factor", value)?;
    if number < 0.0 {
        return args.take.refuse(&name, value, "is negative");
    }
    if number == 1.0 && args.take.release != "Airflow 2" {
        let message = "`retry_exponential_backoff` is 1, which grows nothing: Airflow takes it as off.";
        args.take.note("off", value.span, message);
        return None;
    }
    // Airflow 2 knew yes and no only.
    let factor = if args.take.release == "Airflow 2" { 2.0 } else { number };
    (number != 0.0).then_some(factor)
}

/// Whole seconds from `m` to `2m - 1`, each equally likely over all task instances, `m` being the delay brought up to
/// a whole second. Where every delay is one already, that is a curve with a jitter; else wait by wait.
fn backoff(base_ms: f64, factor: f64, cap_ms: f64, retries: u64) -> Wait {
    let whole = base_ms >= 1_000.0 && base_ms % 1_000.0 == 0.0 && factor >= 1.0 && factor.fract() == 0.0;
    if whole {
        return Wait::new(Backoff::Exponential { base_ms, factor })
            .jitter(Jitter::Proportional { below: 0.0, above: 1.0 })
            .rounding(RoundingMode::Floor, 1_000.0, Rounded::Wait)
            .cap(cap_ms)
            .cap_order(CapOrder::AfterJitter);
    }
    const MOST: u64 = 1_000;
    let mut waits: Vec<Law> = Vec::new();
    for k in 1..=retries.clamp(1, MOST) {
        let delay_s = Backoff::Exponential { base_ms, factor }.delay_ms(k) / 1e3;
        let least_ms = (delay_s - 1e-9).ceil().max(1.0) * 1e3;
        let law = Law::steps(least_ms, 2.0 * least_ms - 1e3, 1e3).capped(cap_ms);
        if waits.last() == Some(&law) {
            break;
        }
        waits.push(law);
    }
    Wait::table(waits)
}
