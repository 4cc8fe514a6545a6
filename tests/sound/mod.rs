//! What must hold of any schedule, for tests of any policy.

use backoff::policy::Policy;
use backoff::schedule::Schedule;

/// What must hold of every schedule.
pub fn sound(policy: &Policy, schedule: &Schedule) {
    for wait in &schedule.waits {
        let max_ms = wait.max_ms.unwrap_or(f64::INFINITY);
        let slack = max_ms.min(f64::MAX) * 1e-9;
        assert!(wait.min_ms >= 0.0 && wait.min_ms <= max_ms, "{wait:?} of {policy:?}");
        let inside = |ms: f64| ms >= wait.min_ms - slack && ms <= max_ms + slack;
        assert!(wait.mean_ms.is_none_or(inside), "{wait:?} of {policy:?}");
        let share = |p: f64| (0.0..=1.0 + 1e-9).contains(&p);
        assert!(share(wait.at_min) && share(wait.at_max), "{wait:?} of {policy:?}");
    }
    let total = &schedule.total;
    let numbers = [total.min_ms, total.mean_ms, total.max_ms, total.bound_ms];
    assert!(numbers.into_iter().flatten().all(|ms| ms >= 0.0 && ms.is_finite()), "{total:?} of {policy:?}");
    if let (Some(min), Some(max)) = (total.min_ms, total.max_ms) {
        assert!(min <= max * (1.0 + 1e-9), "{total:?} of {policy:?}");
    }
}
