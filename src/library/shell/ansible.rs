//! Ansible: a task with `until`.

use crate::duration::Unit;
use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Crumb, Item, Value};
use crate::policy::{Backoff, Policy, Wait};

/// ansible-core 2.19.
pub static LIBRARY: Library = Library {
    id: "ansible",
    title: "Ansible",
    ecosystem: "shell",
    version: "2.19.0.dev0 (c9ac477e53a, 2024-10)",
    source: "lib/ansible/executor/task_executor.py",
    counts: "retries (retries); 3 unless written",
    formula: "delay",
    words: &["ansible.builtin.uri", "ansible.builtin.command", "ansible", "until", "retries", "register"],
    settings: &[Setting::other("retries"), Setting::other("delay"), Setting::other("until")],
    notes: &[
        "retries counts retries: the task runs once more.",
        "The waits are constant, 5 s unless delay is written.",
        "A negative delay becomes 1 s.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "- name: Call\n  ansible.builtin.uri:\n    url: https://example.com/\n  register: result\n  until: result is succeeded\n  retries: «retries»\n  delay: «delay:S»\n",
    ],
    examples: &[
        Example {
            text: "- name: Wait for the service\n  ansible.builtin.uri:\n    url: http://localhost:9000/ready\n  register: ready\n  until: ready.status == 200\n  retries: 2\n  delay: 10\n",
            waits: &[(10.0, 10.0), (10.0, 10.0)],
        },
        Example {
            text: "- command: pg_isready\n  register: db\n  until: db.rc == 0\n",
            waits: &[(5.0, 5.0), (5.0, 5.0), (5.0, 5.0)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let counted = |item: &&Item| {
        let listed = matches!(item.place.last(), Some(Crumb::Index(_)));
        item.get("until").is_some() || listed && item.get("retries").is_some() && item.get("delay").is_some()
    };
    let tasks = scan.items.iter().copied().filter(counted).filter(|item| {
        let module = |name: &str| {
            name.contains('.') || matches!(name, "uri" | "command" | "shell" | "get_url" | "service" | "apt")
        };
        let names = item.args.iter().filter_map(|a| a.name.as_ref());
        let counts = item.get("until").is_some() && item.get("retries").is_some();
        item.get("register").is_some() || counts || names.into_iter().any(|n| module(&n.text))
    });
    tasks
        .map(|item| {
            let name = item.get("name").and_then(Value::text).unwrap_or_default();
            Block::new(item, Certainty::Certain).label(name)
        })
        .collect()
}

/// What a variable of the play stands for: `"{{ n }}"` with `n` under `vars`.
fn filled<'d>(scan: &Scan<'d>, value: &'d Value) -> &'d Value {
    let name = value.text().and_then(|t| t.trim().strip_prefix("{{")?.strip_suffix("}}"));
    let name = name.and_then(|n| n.split('|').next()).map(str::trim);
    let vars = |item: &&&Item| matches!(item.place.last(), Some(Crumb::Key(key)) if key == "vars");
    let known = || scan.items.iter().filter(vars).find_map(|item| item.get(name?));
    known().unwrap_or(value)
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    take.main().unknown_retry_names("a keyword of a task", "Ansible refuses the task");
    let [retries, wait] = ["retries", "delay"].map(|name| item.get(name).map(|value| filled(take.scan, value)));
    let retries = match retries {
        Some(value) => whole(take, value),
        None => {
            take.note("defaults", item.span, "retries is not written: 3 retries is the default.");
            take.default("retries", "3");
            3
        }
    };
    let delay_ms = match wait {
        Some(value) => delay(take, value),
        None => {
            take.default("baseMs", "5 s");
            5_000.0
        }
    };
    if let Some(value) = item.get("retries").filter(|_| retries > 0) {
        let message = format!("retries counts retries: up to {} runs.", retries.saturating_add(1));
        take.note("counts-retries", value.span, message);
    }
    if item.get("until").is_none() {
        let place = item.get("retries").map_or(item.span, |v| v.span);
        let message = "No `until` is written: the task is repeated until it succeeds; older releases of ansible-core ignore \
                       retries without it.";
        take.warning("no-until", place, message).help = "Write `until: result is succeeded`.".into();
    }
    Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries)
}

fn whole(take: &mut Take, value: &Value) -> u64 {
    take.origin("retries", value.span);
    let number = value.text_number().or_else(|| take.number("retries", "retries", value)).unwrap_or(3.0);
    if number < 0.0 {
        take.warning("negative", value.span, "A negative number of retries counts as 0.");
    }
    number.max(0.0) as u64
}

fn delay(take: &mut Take, value: &Value) -> f64 {
    take.origin("baseMs", value.span);
    let Some(seconds) = value.text_number().or_else(|| value.number()) else {
        return take.time("delay", "baseMs", value, Some(Unit::Second)).unwrap_or(5_000.0);
    };
    if seconds < 0.0 {
        take.warning("negative", value.span, "A negative delay becomes 1 s.");
        return 1_000.0;
    }
    seconds * 1_000.0
}
