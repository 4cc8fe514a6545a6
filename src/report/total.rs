//! Part "Total wait": how long all waits take together, with the calls between them, against the time there is.
//!
//! The picture and its table are of the schedule itself; a deadline is a line in it, and what it makes of the schedule
//! has lines of its own.

use super::Request;
use super::answer::QUICK;
use super::assumed;
use super::begun;
use super::fields::Field;
use super::fits::{self, LimitRow};
use super::inverse;
use super::picture::{self, TotalPicture};
use super::words::Words;
use crate::distribution::{Method, Options, Percentile, TotalWait, is_computed, total_wait};
use crate::format::{Quantity, count, number, percent, short, significant};
use crate::limits::LIMITS;
use crate::policy::{Clock, Policy};
use crate::schedule::worst_elapsed;
use serde::Serialize;

/// The part of the page about the total of all waits.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TotalPart {
    /// The sentence that opens it.
    pub lead: Words,
    /// Whether its numbers take long and were left for later: only the fields are there.
    pub unfinished: bool,
    /// The time of one call.
    pub call_time: Field,
    /// The distribution, where there is one to draw.
    pub picture: Option<TotalPicture>,
    /// The numbers of the picture; none where there is no total.
    pub table: Vec<TotalLine>,
    /// What is measured against the limits.
    pub limits_note: String,
    /// The limits.
    pub limits: Vec<LimitRow>,
    /// The time that settings are looked for to meet.
    pub target: Field,
    /// Which settings do, in sentences; none while they are left for later.
    pub settings: Vec<Words>,
}

/// One line of percentiles.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TotalLine {
    /// What they are of.
    pub name: &'static str,
    /// p50, p90, p95, p99, p99.9, and the worst.
    pub cells: Vec<Quantity>,
}

/// The total of a policy, as it is and as it would be without its deadline.
pub struct Laws<'a> {
    pub policy: &'a Policy,
    pub call_ms: f64,
    /// What happens, under the deadline if there is one.
    pub real: TotalWait,
    /// All waits of the schedule; absent where only a deadline ends it.
    pub free: Option<TotalWait>,
}

impl Laws<'_> {
    /// Both laws, with the probabilities of being within each of some times.
    pub fn of(policy: &Policy, call_ms: f64, within_ms: Vec<f64>) -> Laws<'_> {
        let call_ms = policy.attempt_timeout_ms.map_or(call_ms, |most| call_ms.min(most));
        let real = total_wait(policy, &Options { call_ms, within_ms });
        let laws = Laws { policy, call_ms, real, free: None };
        let free = match (policy.deadline, policy.retries) {
            (None, _) => Some(laws.real.clone()),
            (Some(_), None) => None,
            (Some(_), Some(_)) => {
                let plain = Policy { deadline: None, ..policy.clone() };
                let within_ms = laws.deadline_ms().into_iter().collect();
                Some(total_wait(&plain, &Options { call_ms, within_ms }))
            }
        };
        Laws { free, ..laws }
    }

    /// The time of all calls of the schedule, ms.
    pub fn calling_ms(&self) -> Option<f64> {
        // Many calls of no time are no time, however many.
        if self.call_ms == 0.0 { Some(0.0) } else { Some(self.policy.calls()? as f64 * self.call_ms) }
    }

    /// How much waiting there can be for all calls to be over at the deadline, ms.
    pub fn deadline_ms(&self) -> Option<f64> {
        let deadline = self.policy.deadline?;
        Some(match deadline.clock {
            Clock::Waits => deadline.limit_ms,
            Clock::Elapsed => deadline.limit_ms - self.calling_ms()?,
            Clock::FirstFailure => deadline.limit_ms - (self.calling_ms()? - self.call_ms),
        })
    }

    /// How likely the whole schedule is over at its deadline.
    pub fn in_time(&self) -> Option<f64> {
        self.free.as_ref()?.within.first().map(|within| within.p).filter(|_| self.policy.deadline.is_some())
    }

    /// The longest that waits and calls can take together, ms; `None`: no bound.
    pub fn worst_ms(&self) -> Option<f64> {
        let made = self.real.calls.last().map(|share| share.calls as f64 * self.call_ms);
        let apart = self.real.max_ms.zip(made).map(|(waits, calls)| waits + calls);
        let apart = apart.filter(|_| self.policy.deadline.is_some());
        worst_elapsed(self.policy, self.call_ms).into_iter().chain(apart).reduce(f64::min)
    }

    /// The least that they take, ms.
    pub fn least_ms(&self) -> Option<f64> {
        let calls = self.real.calls.first().map_or(1.0, |share| share.calls as f64);
        Some(self.real.min_ms? + calls * self.call_ms)
    }
}

/// The part for a policy that waits at all.
pub fn total(policy: &Policy, request: &Request) -> TotalPart {
    let (mut call_time, call_ms) = assumed::time(request, assumed::CALL_TIME, None);
    offer_timeout(policy, &mut call_time, call_ms);
    let limits = LIMITS.map(|limit| (limit, assumed::time(request, limit.key, limit.at_most_ms)));
    let (target, target_ms) = assumed::time(request, assumed::TARGET, Some(assumed::USUAL_TARGET_MS));
    let most = if policy.deadline.is_some() { fits::FEW } else { QUICK };
    let quick = policy.retries.is_some_and(|n| n <= most) && is_computed(policy);
    if !quick && !request.patient {
        return TotalPart {
            lead: Words::default(),
            unfinished: true,
            call_time,
            picture: None,
            table: Vec::new(),
            limits_note: String::new(),
            limits: limits.map(|(limit, (field, _))| fits::row(limit, field, None)).into(),
            target,
            settings: Vec::new(),
        };
    }
    let times: Vec<f64> = limits.iter().filter_map(|(_, (_, ms))| *ms).collect();
    let laws = Laws::of(policy, call_ms.unwrap_or(0.0), times);
    // They search, so they are never for every key that is pressed.
    let sought = target_ms.filter(|_| request.patient);
    let settings = sought.map_or(Vec::new(), |ms| inverse::answers(policy, ms, laws.call_ms));
    let row = |(limit, (field, ms))| fits::row(limit, field, fits::verdict(&laws, ms, request.patient));
    TotalPart {
        lead: Words::of(&laws.lead()),
        unfinished: false,
        call_time,
        picture: picture::picture(&laws),
        table: laws.table(),
        limits_note: laws.limits_note(),
        limits: limits.map(row).into(),
        target,
        settings,
    }
}

/// Says what an empty field means, and offers the bound that the policy has on a call.
fn offer_timeout(policy: &Policy, field: &mut Field, call_ms: Option<f64>) {
    let Some(most) = policy.attempt_timeout_ms else {
        if field.value.trim().is_empty() {
            field.source = Words::default().plain("empty: the waits alone");
        }
        return;
    };
    let written = crate::format::written(most, " ");
    if field.good && call_ms.is_none() {
        field.source = Words::default().plain("empty: the waits alone; at most its timeout of");
        field.choices = vec![written];
    } else if call_ms > Some(most) {
        field.source = Words::default().plain(format!("no call takes longer than its timeout, {written}"));
    }
}

impl Laws<'_> {
    fn lead(&self) -> String {
        if self.policy.retries.is_none() && self.policy.deadline.is_none() {
            return "**It never stops**, so its waits have no total. A deadline gives them one.".into();
        }
        let Some(free) = &self.free else { return self.ended_by_deadline() };
        let all = self.all_calls();
        let take = if self.call_ms > 0.0 {
            format!("{all} of _{}_ and the waits take ", short(self.call_ms).text)
        } else {
            "The waits take ".into()
        };
        let mut said = match (free.min_ms, free.max_ms, self.calling_ms()) {
            (Some(min), Some(max), Some(calling)) if min == max => {
                format!("{take}**_{}_, always**.", short(max + calling).text)
            }
            (Some(_), Some(max), Some(calling)) if !free.elapsed.is_empty() => {
                let typical = short(free.elapsed[0].ms).text;
                format!("{take}**_{typical}_ typically and _{}_ at worst**.", short(max + calling).text)
            }
            (Some(min), Some(max), Some(calling)) => {
                let (min, max) = (short(min + calling).text, short(max + calling).text);
                format!("{take}**from _{min}_ to _{max}_**; how often how long is not known.")
            }
            _ => "The waits grow **beyond any number**.".into(),
        };
        if let (Some(deadline), Some(retries)) = (self.policy.deadline, self.policy.retries) {
            let begun = begun::retries(&self.real.calls, retries, "starts", "start");
            let over = self.in_time().map_or(String::new(), |p| match p {
                p if p >= 1.0 => ", and all runs are over in time".into(),
                p if p <= 0.0 => format!(", and no run has all {} over in time", all.to_ascii_lowercase()),
                p => format!(", and _{}_ of runs have all {} over in time", percent(p), all.to_ascii_lowercase()),
            });
            said += &format!(" Under the deadline of _{}_ {begun}{over}.", short(deadline.limit_ms).text);
        }
        said
    }

    /// The sentence where nothing but the deadline ends it.
    fn ended_by_deadline(&self) -> String {
        let limit = self.policy.deadline.map_or(0.0, |deadline| deadline.limit_ms);
        let calls = begun::calls(&self.real.calls);
        let took = match (self.real.percentiles.first(), self.real.max_ms) {
            (Some(half), Some(max)) if half.ms < max => {
                format!("; the waits take **_{}_ typically and _{}_ at worst**", short(half.ms).text, short(max).text)
            }
            (_, Some(max)) => format!("; the waits take at most **_{}_**", short(max).text),
            _ => String::new(),
        };
        format!("The deadline of _{}_ ends it after {calls}{took}.", short(limit).text)
    }

    /// "Six calls", with a capital.
    fn all_calls(&self) -> String {
        match self.policy.calls() {
            Some(1) => "One call".into(),
            Some(calls) => format!("{} calls", cardinal(calls)),
            None => "Calls".into(),
        }
    }

    fn table(&self) -> Vec<TotalLine> {
        let line = |name, percentiles: &[Percentile], worst: Option<f64>| {
            let cells = percentiles.iter().map(|percentile| short(percentile.ms));
            let worst = worst.map_or_else(|| Quantity::words("no bound"), short);
            (!percentiles.is_empty()).then(|| TotalLine { name, cells: cells.chain([worst]).collect() })
        };
        let called = self.call_ms > 0.0;
        let mut lines = Vec::new();
        if let Some(free) = &self.free {
            lines.extend(line("Total wait", &free.percentiles, free.max_ms));
            let worst = free.max_ms.and_then(|ms| Some(ms + self.calling_ms()?));
            lines.extend(line("Total elapsed", &free.elapsed, worst).filter(|_| called));
        }
        if self.policy.deadline.is_some() {
            lines.extend(line("Wait under the deadline", &self.real.percentiles, self.real.max_ms));
            lines.extend(line("Elapsed under the deadline", &self.real.elapsed, self.worst_ms()).filter(|_| called));
        }
        lines
    }

    fn limits_note(&self) -> String {
        let what = if self.call_ms > 0.0 { "Total elapsed" } else { "Total wait, calls that take no time" };
        let range = match (self.least_ms(), self.worst_ms()) {
            (Some(least), Some(worst)) if least == worst => format!(", {}", short(worst).text),
            (Some(least), Some(worst)) => format!(", {} to {}", short(least).text, short(worst).text),
            _ => ", no bound".into(),
        };
        let under = if self.policy.deadline.is_some() { " under the deadline" } else { "" };
        format!("{what}{under}{range}, against limits people live under. Each can be edited.")
    }

    /// How the picture was found.
    pub fn method(&self, law: &TotalWait) -> String {
        match (law.method, law.draws) {
            (Method::Simulated, Some(draws)) => {
                let off = number(significant(law.error * 100.0, 2));
                format!("{} simulated runs; a percentile can be off by {off} %.", count(u64::from(draws)))
            }
            _ => "Exact, not simulated.".into(),
        }
    }
}

/// "Six", "12".
fn cardinal(n: u64) -> String {
    const WORDS: [&str; 10] = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    WORDS.get(n as usize).map_or_else(|| count(n), |word| (*word).to_string())
}
