//! Checks of a policy, whatever it was written in: one file a rule, one line in [`ALL`].

use crate::finding::Finding;
use crate::policy::Policy;

mod cap_below_base;
mod never_ends;
mod no_wait;
mod shrinks;

/// One check.
pub struct Rule {
    /// Its code, never reused.
    pub code: &'static str,
    /// What it is about, in a few words.
    pub name: &'static str,
    /// The finding, where there is one.
    pub check: fn(&Policy) -> Option<Finding>,
    /// A policy in the link's notation that it fires on, and no other rule.
    pub fires: &'static str,
    /// One near it that it stays silent on.
    pub silent: &'static str,
}

/// All rules.
pub static ALL: &[&Rule] = &[&never_ends::RULE, &no_wait::RULE, &cap_below_base::RULE, &shrinks::RULE];

/// What the rules say about a policy.
pub fn findings(policy: &Policy) -> impl Iterator<Item = Finding> {
    ALL.iter().filter_map(|rule| (rule.check)(policy))
}
