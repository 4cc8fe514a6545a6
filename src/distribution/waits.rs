//! The waits of a policy as independent laws.

use crate::policy::{Law, Policy, Walk};

/// The most waits that are told apart.
const MOST: usize = 10_000;

/// The laws of the waits in order, and how often the last one follows.
pub(super) struct Waits {
    /// The laws whose sum each wait is.
    pub laws: Vec<Vec<Law>>,
    /// How many waits there are in all; `None`: no bound.
    pub count: Option<u64>,
}

impl Waits {
    /// The waits of a policy; `None` where they depend on each other, or are too many and still changing.
    pub fn of(policy: &Policy) -> Option<Waits> {
        let mut laws: Vec<Vec<Law>> = Vec::new();
        for range in Walk::new(policy).take(MOST) {
            if range.laws.is_empty() {
                return None;
            }
            let steady = laws.last() == Some(&range.laws) && policy.is_settled(range.retry);
            laws.push(range.laws);
            if steady {
                return Some(Waits { laws, count: policy.retries });
            }
        }
        (policy.retries? <= MOST as u64).then_some(Waits { laws, count: policy.retries })
    }

    /// Each law with how often it is in the total of a policy that stops.
    pub fn counted(&self) -> Vec<(&Law, f64)> {
        let more = self.count.unwrap_or(0).saturating_sub(self.laws.len() as u64) as f64;
        let last = self.laws.len().wrapping_sub(1);
        let times = |index: usize| if index == last { 1.0 + more } else { 1.0 };
        let numbered = self.laws.iter().enumerate();
        numbered.flat_map(|(index, laws)| laws.iter().map(move |law| (law, times(index)))).collect()
    }
}
