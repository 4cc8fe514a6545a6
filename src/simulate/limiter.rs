//! Who is admitted, call by call in order of time.

use super::window::Window;
use crate::fleet::{FleetSpec, LimiterKind};
use std::collections::VecDeque;

/// A token that misses its last part by a rounding is whole.
const SLACK: f64 = 1e-9;

/// The state of one limiter.
pub(super) enum Limiter {
    FixedWindow { spec: FleetSpec, window: Window, left: f64 },
    TokenBucket { per_ms: f64, burst: f64, tokens: f64, at_ms: f64 },
    SlidingLog { window_ms: f64, most: f64, admitted: VecDeque<f64> },
}

impl Limiter {
    /// At time 0, before the first retry.
    pub fn new(spec: &FleetSpec) -> Self {
        let window_ms = spec.window_ms;
        match spec.limiter {
            LimiterKind::FixedWindow => {
                let window = Window::first(window_ms);
                Limiter::FixedWindow { spec: spec.clone(), window, left: spec.quota(window.number) }
            }
            LimiterKind::TokenBucket => Limiter::TokenBucket {
                per_ms: spec.allowance / spec.per_ms,
                burst: spec.burst,
                tokens: 0.0,
                at_ms: 0.0,
            },
            LimiterKind::SlidingLog => {
                Limiter::SlidingLog { window_ms, most: spec.due(1.0), admitted: VecDeque::new() }
            }
        }
    }

    /// Whether a call at this time, not before the last one, is admitted.
    pub fn admits(&mut self, now_ms: f64) -> bool {
        match self {
            Limiter::FixedWindow { spec, window, left } => {
                if window.enter(now_ms) {
                    *left = spec.quota(window.number);
                }
                take(left)
            }
            Limiter::TokenBucket { per_ms, burst, tokens, at_ms } => {
                *tokens = (*tokens + *per_ms * (now_ms - *at_ms)).min(*burst);
                *at_ms = now_ms;
                take(tokens)
            }
            Limiter::SlidingLog { window_ms, most, admitted } => {
                while admitted.front().is_some_and(|&then| then <= now_ms - *window_ms) {
                    admitted.pop_front();
                }
                let admits = (admitted.len() as f64) < *most;
                if admits {
                    admitted.push_back(now_ms);
                }
                admits
            }
        }
    }
}

fn take(left: &mut f64) -> bool {
    let admits = *left >= 1.0 - SLACK;
    if admits {
        *left -= 1.0;
    }
    admits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(spec: &FleetSpec, times_ms: impl Iterator<Item = f64>) -> usize {
        let mut limiter = Limiter::new(spec);
        times_ms.filter(|&t| limiter.admits(t)).count()
    }

    #[test]
    fn fixed_windows_carry_the_fraction() {
        // 4000 a minute: 66, 67, 67 in three seconds, 200 in all.
        let spec = FleetSpec::new(400, 4000.0, 60_000.0);
        let second = |j: u32| (0..400).map(move |i| f64::from(j) * 1000.0 + f64::from(i));
        assert_eq!(admitted(&spec, second(0)), 66);
        assert_eq!(admitted(&spec, second(1)), 67);
        assert_eq!(admitted(&spec, (0..3).flat_map(second)), 200);
        assert_eq!(admitted(&FleetSpec { first_window_used: true, ..spec }, (0..3).flat_map(second)), 134);
    }

    #[test]
    fn a_bucket_starts_empty_and_holds_no_more_than_its_burst() {
        let spec = FleetSpec { limiter: LimiterKind::TokenBucket, ..FleetSpec::new(400, 100.0, 1000.0) };
        // A token each 10 ms.
        assert_eq!(admitted(&spec, [0.0, 9.0, 10.0, 11.0, 20.0].into_iter()), 2);
        assert_eq!(admitted(&spec, [5000.0; 3].into_iter()), 1);
        assert_eq!(admitted(&FleetSpec { burst: 2.0, ..spec.clone() }, [5000.0; 3].into_iter()), 2);
        assert_eq!(admitted(&FleetSpec { burst: 0.5, ..spec }, [5000.0; 3].into_iter()), 0);
    }

    #[test]
    fn a_sliding_log_forgets_after_its_window() {
        let spec = FleetSpec { limiter: LimiterKind::SlidingLog, ..FleetSpec::new(400, 2.5, 1000.0) };
        assert_eq!(admitted(&spec, [0.0, 500.0, 900.0, 999.0, 1000.0, 1001.0].into_iter()), 3);
    }

    #[test]
    fn an_allowance_beyond_counting_admits_all() {
        for limiter in [LimiterKind::FixedWindow, LimiterKind::TokenBucket, LimiterKind::SlidingLog] {
            let spec = FleetSpec { limiter, burst: 1e300, ..FleetSpec::new(400, 1e300, 1.0) };
            assert_eq!(admitted(&spec, (1..=400).map(f64::from)), 400);
            assert_eq!(admitted(&FleetSpec { allowance: 0.0, ..spec }, (1..=400).map(f64::from)), 0);
        }
    }
}
