//! What is worth saying of any policy, whatever library it came from.
//!
//! One rule is one file with one [`Rule`] static, and one line in [`RULES`]. A code is never used again for something
//! else. A rule sees the policy and its numbers; where the text comes in, the field it speaks of leads there.

mod base_under_fleet;
mod beside;
mod bunched_on_bound;
mod calls_past_deadline;
mod cap_never_reached;
mod capped_at_once;
mod decorrelated_without_chance;
mod default_ends;
mod dependent_waits;
mod drawn_once;
mod first_at_once;
mod floor_over_cap;
mod never_stops;
mod no_cap;
mod no_growth;
mod no_jitter;
mod no_wait;
mod over_limit;
mod passes_cap;
mod repeats_operation;
mod retries_past_deadline;
mod silent_cap;
mod stacked_layers;
mod timeouts_over_limit;
mod timer_overflow;
mod wait_without_call;
mod waits_shrink;
mod zero_waits;

pub use beside::{Beside, ChosenLimit, LayerBeside, Operation};

use crate::finding::{Finding, Severity};
use crate::format::{number, percent, short, significant};
use crate::policy::Policy;
use crate::schedule::{Schedule, ScheduledWait, Total, schedule};
use crate::span::Span;

/// Every rule, the most harmful first within each severity.
pub static RULES: &[&Rule] = &[
    &never_stops::RULE,
    &no_wait::RULE,
    &no_jitter::RULE,
    &bunched_on_bound::RULE,
    &decorrelated_without_chance::RULE,
    &zero_waits::RULE,
    &drawn_once::RULE,
    &base_under_fleet::RULE,
    &over_limit::RULE,
    &timeouts_over_limit::RULE,
    &stacked_layers::RULE,
    &retries_past_deadline::RULE,
    &calls_past_deadline::RULE,
    &timer_overflow::RULE,
    &no_cap::RULE,
    &capped_at_once::RULE,
    &floor_over_cap::RULE,
    &waits_shrink::RULE,
    &repeats_operation::RULE,
    &silent_cap::RULE,
    &default_ends::RULE,
    &cap_never_reached::RULE,
    &no_growth::RULE,
    &first_at_once::RULE,
    &passes_cap::RULE,
    &dependent_waits::RULE,
    &wait_without_call::RULE,
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
    /// What it fires on: a link with what the reader gave beside the policy, or a text.
    pub fires: &'static [&'static str],
    /// The like, near them, on which it is silent.
    pub silent: &'static [&'static str],
}

/// What rules look at beside the policy: its numbers, and what stands around it.
pub struct Facts {
    /// The first waits, up to a hundred.
    pub waits: Vec<ScheduledWait>,
    /// What all of them add up to.
    pub total: Total,
    /// What stands beside the policy.
    pub beside: Beside,
}

impl Facts {
    /// The numbers of a policy, and what stands beside it.
    pub fn of(policy: &Policy, beside: Beside) -> Facts {
        let Schedule { waits, total, .. } = schedule(policy, 100);
        Facts { waits, total, beside }
    }

    /// Whether the waits hold no chance.
    fn is_fixed(&self) -> bool {
        self.waits.iter().all(|w| w.max_ms == Some(w.min_ms))
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
    /// The place of the text that causes it, where it is not that of the field.
    pub span: Option<Span>,
    /// What is the case, with this policy's numbers.
    pub message: String,
    /// What to do, where this policy's numbers say more than the rule's own words.
    pub help: Option<String>,
    /// Policies without the problem, the best first.
    pub fixes: Vec<Policy>,
}

impl Hit {
    fn new(field: &'static str, message: impl Into<String>) -> Hit {
        Hit::at(field, None, message)
    }

    /// One that a place of the text beside the policy causes.
    fn at(field: &'static str, span: Option<Span>, message: impl Into<String>) -> Hit {
        Hit { field, span, message: message.into(), help: None, fixes: Vec::new() }
    }

    fn help(mut self, help: String) -> Hit {
        self.help = Some(help);
        self
    }

    fn fix(mut self, fix: Policy) -> Hit {
        self.fixes.push(fix);
        self
    }
}

/// Where among the rules of its severity a finding comes, by code; what a reader or library says comes before all.
pub fn rank(code: &str) -> usize {
    RULES.iter().position(|rule| rule.code == code).map_or(0, |at| at + 1)
}

/// Everything the rules have to say of a policy; `place` leads from a field to the text that gave it, and `has_words`
/// tells whether the text's library can say a policy, so that of several fixes it gets one that it can.
pub fn findings(
    policy: &Policy,
    beside: Beside,
    place: impl Fn(&str) -> Option<Span>,
    has_words: impl Fn(&Policy) -> bool,
) -> Vec<Finding> {
    let facts = Facts::of(policy, beside);
    let fired =
        |facts: &Facts, policy: &Policy| RULES.iter().copied().filter(|r| (r.check)(policy, facts).is_some()).collect();
    let before: Vec<&Rule> = fired(&facts, policy);
    // What only trades one trouble for another that is as bad is no fix.
    let harm = |rule: &Rule| (rule.severity, rank(rule.code));
    let mends = |rule: &Rule, fix: &Policy| {
        let after: Vec<&Rule> = fired(&Facts::of(fix, facts.beside.clone()), fix);
        let new = |of: &&Rule| before.iter().all(|old| old.code != of.code);
        after.iter().all(|of| of.code != rule.code && (!new(of) || harm(of) > harm(rule)))
    };
    let chosen = |rule: &Rule, fixes: Vec<Policy>| {
        let single = fixes.len() == 1;
        let mut fixes = fixes.into_iter().filter(|fix| mends(rule, fix));
        let best = fixes.next()?;
        let other = if single || has_words(&best) { None } else { fixes.find(&has_words) };
        Some((other.is_some(), other.unwrap_or(best)))
    };
    let said = |rule: &&Rule| {
        let hit = (rule.check)(policy, &facts)?;
        let fix = chosen(rule, hit.fixes);
        let mut help = hit.help.unwrap_or_else(|| rule.help.to_string());
        if let Some((true, _)) = fix {
            help += " What is offered here is what the library itself can do.";
        }
        Some(Finding {
            code: rule.code,
            severity: rule.severity,
            message: hit.message,
            help,
            span: hit.span.or_else(|| place(hit.field)),
            fix: fix.map(|(_, policy)| Box::new(policy)),
        })
    };
    before.iter().filter_map(said).collect()
}

/// The generated table of `README.md` in this folder.
pub fn readme() -> String {
    let mut out = String::from("# Rules\n\nGenerated from the registry by `cargo xtask docs`.\n\n");
    out.push_str("| code | name | severity | what | why | what to do |\n|---|---|---|---|---|---|\n");
    let mut rules = RULES.to_vec();
    rules.sort_by_key(|rule| rule.code);
    for rule in rules {
        let severity = format!("{:?}", rule.severity).to_ascii_lowercase();
        let row = [rule.code, rule.name, &severity, rule.what, rule.why, rule.help];
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out
}

fn time(ms: f64) -> String {
    short(ms).text
}

fn per_s(rate: f64) -> String {
    number(significant(rate, 3))
}
