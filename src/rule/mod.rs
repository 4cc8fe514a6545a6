//! What is worth saying of any policy, whatever library it came from.
//!
//! One rule is one file with one [`Rule`] static, and one line in [`RULES`]. A code is never used again for something
//! else. A rule sees the policy and its numbers; where the text comes in, the field it speaks of leads there.

mod bunched_on_bound;
mod calls_past_deadline;
mod cap_never_reached;
mod capped_at_once;
mod decorrelated_without_chance;
mod dependent_waits;
mod first_at_once;
mod floor_over_cap;
mod never_stops;
mod no_cap;
mod no_growth;
mod no_jitter;
mod no_wait;
mod passes_cap;
mod retries_past_deadline;
mod timer_overflow;
mod wait_without_call;
mod waits_shrink;
mod zero_waits;

use crate::finding::{Finding, Severity};
use crate::format::{percent, short};
use crate::policy::Policy;
use crate::schedule::{Schedule, ScheduledWait, Total, schedule};
use crate::span::Span;

/// Every rule, by code.
pub static RULES: &[&Rule] = &[
    &never_stops::RULE,
    &no_wait::RULE,
    &capped_at_once::RULE,
    &waits_shrink::RULE,
    &no_cap::RULE,
    &no_jitter::RULE,
    &bunched_on_bound::RULE,
    &passes_cap::RULE,
    &first_at_once::RULE,
    &cap_never_reached::RULE,
    &zero_waits::RULE,
    &decorrelated_without_chance::RULE,
    &retries_past_deadline::RULE,
    &timer_overflow::RULE,
    &no_growth::RULE,
    &floor_over_cap::RULE,
    &dependent_waits::RULE,
    &wait_without_call::RULE,
    &calls_past_deadline::RULE,
];

/// One check.
pub struct Rule {
    /// `BJ` and a number.
    pub code: &'static str,
    /// What people may call it.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is the case, in one sentence.
    pub what: &'static str,
    /// What follows from it.
    pub why: &'static str,
    /// What to do.
    pub help: &'static str,
    /// Looks for it.
    pub check: fn(&Policy, &Facts) -> Option<Hit>,
    /// Policies in the neutral notation that it fires on.
    pub fires: &'static [&'static str],
    /// Policies near them on which it is silent.
    pub silent: &'static [&'static str],
}

/// The numbers of a policy that rules look at.
pub struct Facts {
    /// The first waits, up to a hundred.
    pub waits: Vec<ScheduledWait>,
    /// What all of them add up to.
    pub total: Total,
}

impl Facts {
    /// The numbers of a policy.
    pub fn of(policy: &Policy) -> Facts {
        let Schedule { waits, total, .. } = schedule(policy, 100);
        Facts { waits, total }
    }

    /// The longest of the waits, ms; `None` where one has no bound, or there is none.
    fn longest_ms(&self) -> Option<f64> {
        let longest: Option<Vec<f64>> = self.waits.iter().map(|w| w.max_ms).collect();
        longest?.into_iter().reduce(f64::max)
    }
}

/// What a rule found.
pub struct Hit {
    /// The policy's field that causes it, as in JSON.
    pub field: &'static str,
    /// What is the case, with this policy's numbers.
    pub message: String,
    /// What to do, where this policy's numbers say more than the rule's own words.
    pub help: Option<String>,
    /// A policy without the problem.
    pub fix: Option<Policy>,
}

impl Hit {
    fn new(field: &'static str, message: impl Into<String>) -> Hit {
        Hit { field, message: message.into(), help: None, fix: None }
    }

    fn help(mut self, help: String) -> Hit {
        self.help = Some(help);
        self
    }

    fn fix(mut self, fix: Policy) -> Hit {
        self.fix = Some(fix);
        self
    }
}

/// Everything the rules have to say of a policy; `place` leads from a field to the text that gave it.
pub fn findings(policy: &Policy, place: impl Fn(&str) -> Option<Span>) -> Vec<Finding> {
    let facts = Facts::of(policy);
    let said = |rule: &&Rule| {
        let hit = (rule.check)(policy, &facts)?;
        Some(Finding {
            code: rule.code,
            severity: rule.severity,
            message: hit.message,
            help: hit.help.unwrap_or_else(|| rule.help.to_string()),
            span: place(hit.field),
            fix: hit.fix.map(Box::new),
        })
    };
    RULES.iter().filter_map(said).collect()
}

/// The generated table of `README.md` in this folder.
pub fn readme() -> String {
    let mut out = String::from("# Rules\n\nGenerated from the registry by `cargo xtask docs`.\n\n");
    out.push_str("| code | name | severity | what | why | what to do |\n|---|---|---|---|---|---|\n");
    for rule in RULES {
        let severity = format!("{:?}", rule.severity).to_lowercase();
        let row = [rule.code, rule.name, &severity, rule.what, rule.why, rule.help];
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out
}

fn time(ms: f64) -> String {
    short(ms).text
}
