//! Computed waits as a curve with a cap and a jitter, where they follow one exactly.

use crate::notation::formula::{Chance, Spread};
use crate::policy::{Backoff, Jitter, Rounded, RoundingMode, Wait};

/// How many waits are compared one by one.
const COMPARED: u64 = 64;
/// Later ones that are compared as well.
const LATER: [u64; 3] = [100, 1_000, 10_000];
/// So far out a wait that still grows has no cap.
const FAR: u64 = 1_000_000;

/// The rule that gives exactly these waits; `None` if there is none. `retries` bounds the waits that count.
pub(super) fn curve(at: &dyn Fn(u64) -> Option<Spread>, retries: Option<u64>) -> Option<Wait> {
    let last = retries.unwrap_or(FAR);
    let later = LATER.into_iter().filter(|&k| k <= last).chain(retries.map(|n| n.min(LATER[2])));
    let ks: Vec<u64> = (1..=COMPARED.min(last)).chain(later.filter(|&k| k > COMPARED)).collect();
    let spreads: Vec<Spread> = ks.iter().map(|&k| at(k)).collect::<Option<_>>()?;
    let jitter = jitter(&spreads)?;
    let delays: Vec<f64> = spreads.iter().map(|s| delay(s, jitter)).collect();
    let cap_ms = match retries {
        Some(_) => delays.iter().rev().nth(1).copied().filter(|next| Some(next) == delays.last()),
        None => {
            let (far, further) = (delay(&at(FAR)?, jitter), delay(&at(FAR + 1)?, jitter));
            (far == further).then_some(far)
        }
    };
    let wait = |backoff: Backoff| {
        let wait = Wait::new(backoff).jitter(jitter);
        match spreads.first().map(|s| s.chance) {
            Some(Chance::Steps(step)) => wait.rounding(RoundingMode::Draw, step, Rounded::Wait),
            _ => wait,
        }
    };
    let fits = |backoff: &Backoff, cap_ms: Option<f64>| {
        ks.iter().zip(&delays).all(|(&k, &delay)| {
            let ours = cap_ms.map_or(backoff.delay_ms(k), |cap| backoff.delay_ms(k).min(cap));
            ours == delay || (ours - delay).abs() <= 1e-12 * delay.abs()
        })
    };
    let found = candidates(&delays, at, jitter).into_iter().find_map(|backoff| {
        let cap = [None, cap_ms].into_iter().find(|&cap| fits(&backoff, cap))?;
        Some(wait(backoff).cap(cap))
    });
    found.filter(|wait| wait.rounding.is_none_or(|r| on_grid(&delays, r.unit_ms)))
}

/// Whether every delay is a whole number of units: a draw of whole units added to it then stays one.
fn on_grid(delays: &[f64], unit_ms: f64) -> bool {
    delays.iter().all(|delay| delay % unit_ms == 0.0)
}

/// The curves through the first two waits. A schedule of one or two waits lets the function go on where it can.
fn candidates(delays: &[f64], at: &dyn Fn(u64) -> Option<Spread>, jitter: Jitter) -> Vec<Backoff> {
    let Some(&first) = delays.first() else { return vec![Backoff::Constant { delay_ms: 0.0 }] };
    let second = delays.get(1).copied().or_else(|| at(2).map(|s| delay(&s, jitter))).unwrap_or(first);
    let mut all = vec![Backoff::Constant { delay_ms: first }];
    let grows = |backoff: Backoff, third: f64| {
        (backoff, (third, delays.get(2).copied().or_else(|| at(3).map(|s| delay(&s, jitter)))))
    };
    let linear = Backoff::Linear { base_ms: first, increment_ms: second - first };
    let mut curves = vec![grows(linear, 2.0 * second - first)];
    if first > 0.0 && second > 0.0 {
        let factor = second / first;
        curves.push(grows(Backoff::Exponential { base_ms: first, factor }, second * factor));
        let power = libm::log2(factor);
        curves.push(grows(Backoff::Polynomial { base_ms: first, power }, first * libm::pow(3.0, power)));
    }
    // Two waits fit any of them: the third, even if it is never slept, decides which comes first.
    crate::sort::by_key(&mut curves, |(_, (third, real))| {
        real.is_none_or(|real| (real - third).abs() > 1e-9 * real.abs())
    });
    all.extend(curves.into_iter().map(|(backoff, _)| backoff));
    all
}

/// The jitter that all waits share.
fn jitter(spreads: &[Spread]) -> Option<Jitter> {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
    let all = |of: fn(Chance) -> bool| spreads.iter().all(|s| of(s.chance));
    if all(|c| c == Chance::Fixed) {
        return Some(Jitter::None);
    }
    let first = spreads.first()?;
    let width = first.hi - first.lo;
    let same_width = spreads.iter().all(|s| close(s.hi - s.lo, width));
    let additive = Jitter::Additive { min_ms: 0.0, max_ms: width };
    match first.chance {
        Chance::Steps(_) => (same_width && spreads.iter().all(|s| s.chance == first.chance)).then_some(additive),
        Chance::Even if all(|c| c == Chance::Even) => {
            let ratio = first.hi / first.lo;
            if spreads.iter().all(|s| s.lo == 0.0) {
                Some(Jitter::Full)
            } else if spreads.iter().all(|s| close(s.hi, ratio * s.lo)) {
                Some(if ratio == 2.0 { Jitter::Equal } else { Jitter::Proportional { below: 0.0, above: ratio - 1.0 } })
            } else {
                same_width.then_some(additive)
            }
        }
        _ => None,
    }
}

/// The delay before jitter of a drawn wait.
fn delay(spread: &Spread, jitter: Jitter) -> f64 {
    match jitter {
        Jitter::Full | Jitter::Equal => spread.hi,
        _ => spread.lo,
    }
}
