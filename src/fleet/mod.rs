//! Many callers with one policy against what a service admits, without chance: rates, the base that fits, the law of a
//! clean first round, what arrives when. What chance makes of it is left to [`crate::simulate`].

mod arrivals;
mod bins;
mod clean;
mod deadline;
mod joint;
mod mass;
mod round;
mod scaled;
mod spec;
mod sustained;

pub use arrivals::ArrivalsMethod;
pub use bins::{Bins, spread_ms};
pub use clean::{FirstWindows, clean_bucket, first_windows};
pub use round::Round;
pub use scaled::scaled;
pub use spec::{FleetSpec, LimiterKind, SpecError};
pub use sustained::{Sustained, calls_and_failure, sustained};

use crate::policy::{Backoff, Jitter, Law, Policy, Walk};
use round::Rounds;
use serde::Serialize;

/// How sure a first round should be to be clean, for [`Fleet::sure_base_ms`].
pub const SURE: f64 = 0.9;

/// What a fleet does, in the mean and by arithmetic.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Fleet {
    /// The allowance, calls per second.
    pub allowance_per_s: f64,
    /// `callers / allowance`, ms: the narrowest first window whose mean rate fits, and so the least base with full jitter;
    /// absent: nothing fits an allowance of 0.
    pub needed_base_ms: Option<f64>,
    /// The next round value above it, ms.
    pub round_base_ms: Option<f64>,
    /// The base, ms, at which the first window of this very policy is that wide, its jitter kept and its cap raised where
    /// it is in the way; absent where no base makes it so, as without jitter.
    pub needed_own_base_ms: Option<f64>,
    /// The number of the first retry whose mean rate, of all callers, fits the allowance; absent: none does.
    pub first_round_that_fits: Option<u64>,
    /// The number of the retry in which the last caller is through if rounds were apart and each let through as many as
    /// the allowance gives in its window; absent: some are left.
    pub drained_in_round: Option<u64>,
    /// The probability that the first retries meet no refusal, for callers who come evenly over the first window to a
    /// token bucket that starts empty and can hold a token for each: `1 - callers / (allowance * window)`.
    pub clean_first_round: f64,
    /// The first window, and so the base with full jitter, for which that probability is 0.9, ms.
    pub sure_base_ms: Option<f64>,
    /// The same probability, and the mean number of refusals, with the fixed windows of the spec; absent for other
    /// limiters and where the first wait has no law of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_windows: Option<FirstWindows>,
    /// Up to how many callers the first round fits: a test with no more than these looks clean, whatever more would do.
    pub looks_clean_up_to: f64,
    /// Peak times mean wait of the first round: rate of all callers times the mean wait; half the callers where they
    /// come evenly from 0 on, the least there is. Absent where either is not known.
    pub peak_times_wait: Option<f64>,
    /// The first hundred retries.
    pub rounds: Vec<Round>,
    /// The width of each of `arrivals`, ms.
    pub bin_ms: f64,
    /// Expected arrivals while nobody gets through: the most there can be.
    pub arrivals: Vec<ExpectedBin>,
    /// How they were found, and so how close they are.
    pub arrivals_method: ArrivalsMethod,
}

/// Expected arrivals in one bin of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ExpectedBin {
    /// Its start, ms.
    pub at_ms: f64,
    /// Arrivals in it, as a rate per second.
    pub per_s: f64,
}

/// What a fleet does by arithmetic, for any number of callers.
pub fn fleet(policy: &Policy, spec: &FleetSpec) -> Result<Fleet, SpecError> {
    let rates = rates(policy, spec)?;
    let expected = arrivals::expected(policy, spec);
    let last = expected.arrivals.iter().rposition(|&n| n > 0.0).map_or(0, |last| last + 1);
    let per_bin = spec.callers as f64 * 1_000.0 / expected.bins.width_ms;
    let bin = |(i, n): (usize, &f64)| ExpectedBin { at_ms: expected.bins.start_ms(i), per_s: n * per_bin };
    Ok(Fleet {
        first_windows: first_windows_of(policy, spec),
        bin_ms: expected.bins.width_ms,
        arrivals: expected.arrivals.iter().take(last).enumerate().map(bin).collect(),
        arrivals_method: expected.method,
        ..rates
    })
}

/// The same without what takes long: no `arrivals` and no `first_windows`.
pub fn rates(policy: &Policy, spec: &FleetSpec) -> Result<Fleet, SpecError> {
    spec.check()?;
    let callers = spec.callers as f64;
    let per_s = spec.per_s();
    let needed_base_ms = match callers * 1_000.0 / per_s {
        _ if callers == 0.0 => Some(0.0),
        ms => Some(ms).filter(|ms| ms.is_finite()),
    };
    let rounds = Rounds::of(policy, spec);
    let first_ms = rounds.list.first().and_then(|round| round.window_ms);
    let mean_ms = Walk::new(policy).next().and_then(|range| range.mean_ms());
    let rate = rounds.list.first().and_then(|round| round.rate_per_s);
    Ok(Fleet {
        allowance_per_s: per_s,
        needed_base_ms,
        round_base_ms: needed_base_ms.map(round_above),
        needed_own_base_ms: needed_base_ms.zip(width_per_base(policy)).map(|(ms, width)| ms / width),
        first_round_that_fits: rounds.first_that_fits,
        drained_in_round: rounds.drained_in,
        clean_first_round: clean_bucket(spec.callers, per_s, first_ms.unwrap_or(f64::INFINITY)),
        sure_base_ms: needed_base_ms.map(|ms| ms / (1.0 - SURE)),
        first_windows: None,
        looks_clean_up_to: first_ms.map_or(callers, |ms| (per_s * ms / 1_000.0 + 1e-9).floor()),
        peak_times_wait: rate.zip(mean_ms).map(|(per_s, ms)| per_s * ms / 1_000.0),
        rounds: rounds.list,
        bin_ms: Bins::of(policy, spec).width_ms,
        arrivals: Vec::new(),
        arrivals_method: ArrivalsMethod::Exact,
    })
}

/// The next of 1, 2, 3, 5, 8 times a power of ten above a number: what people write.
fn round_above(ms: f64) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= ms {
        power *= 10.0;
    }
    let round = [1.0, 2.0, 3.0, 5.0, 8.0, 10.0].map(|digit| digit * power);
    // A need that misses a round value by a rounding is that value.
    round.into_iter().find(|&value| value > ms * (1.0 + 1e-9)).unwrap_or(power * 10.0)
}

/// How wide the first window is for each ms of the base; `None` where the base does not make it.
fn width_per_base(policy: &Policy) -> Option<f64> {
    let alone = policy.plus.is_empty() && policy.phases.is_empty() && policy.first_wait_ms.is_none();
    let curve = !matches!(policy.wait.backoff, Backoff::List { .. } | Backoff::Table { .. });
    let width = match policy.wait.jitter {
        Jitter::Full => 1.0,
        Jitter::Equal => 0.5,
        Jitter::Decorrelated => 2.0,
        Jitter::Proportional { below, above } => below.min(1.0) + above,
        Jitter::Poisson { below, above } => below + above,
        _ => return None,
    };
    Some(width).filter(|&width| alone && curve && policy.wait.skip == 0 && width > 0.0)
}

/// The first retries against the fixed windows of the spec; `None` for other limiters and where the first wait has no
/// law of its own.
pub fn first_windows_of(policy: &Policy, spec: &FleetSpec) -> Option<FirstWindows> {
    let first = Walk::new(policy).next()?;
    let [law] = first.laws.as_slice() else { return None };
    let spread_ms = spread_ms(policy, spec);
    let law = if spread_ms > 0.0 { Law::uniform(law.min_ms(), law.min_ms() + spread_ms) } else { law.clone() };
    let windows = (law.max_ms() / spec.window_ms).floor() + 1.0;
    if spec.limiter != LimiterKind::FixedWindow || windows > 1e4 {
        return None;
    }
    let edge_ms = |j: usize| j as f64 * spec.window_ms;
    let share = |j: usize| law.share_under(edge_ms(j + 1)) - law.share_under(edge_ms(j));
    Some(first_windows(spec.callers, windows as usize, share, |j| spec.quota(j as f64)))
}
