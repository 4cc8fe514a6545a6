//! The answer: one sentence, the large number, what stands beside it, and the sum behind it.

use super::words::Words;
use crate::distribution::{Options, is_computed, total_wait};
use crate::format::{Column, Part, Quantity, count, counted, number, short, significant};
use crate::policy::{Overrun, Policy, Walk};
use crate::schedule::{Schedule, Total, last_waits};
use serde::Serialize;

/// How many waits are looked at for an hour's count.
const LOOKED_AT: usize = 10_000;

/// Up to so many independent waits have their median found at once.
pub const QUICK: u64 = 200;

/// The answer for one policy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Answer {
    /// The sentence.
    pub sentence: Words,
    /// The same as bare text, to be copied.
    pub text: String,
    /// The shortest form, for a line that stays in sight.
    pub brief: Words,
    /// The large number; absent where there is no policy.
    pub figure: Option<Figure>,
    /// What stands beside it.
    pub beside: Vec<Figure>,
    /// The sum behind it.
    pub sum: Words,
}

/// A number with its name.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Figure {
    /// What it is.
    pub label: String,
    /// The number, or words in its place.
    pub value: Quantity,
    /// Whether words stand in the place of a number.
    pub words: bool,
}

impl Figure {
    fn new(label: &str, value: Quantity) -> Figure {
        let words = value.parts.iter().all(|p| p.unit.is_empty());
        Figure { label: label.into(), value, words }
    }
}

/// Words for the state without a policy.
pub fn nothing(sentence: &str) -> Answer {
    let sentence = Words::of(sentence);
    Answer {
        text: sentence.text(),
        brief: Words::default().plain("No answer yet"),
        sentence,
        figure: None,
        beside: Vec::new(),
        sum: Words::default(),
    }
}

/// Who is asked about and what is known beside the policy.
pub struct Subject<'a> {
    /// Who: `Tenacity 9`, `Tenacity 9, inventory`; empty where nobody is named.
    pub who: String,
    /// Why the count is what it is, where nothing in the text says it: a sentence, or nothing.
    pub why_count: Words,
    /// What of the text was left out or assumed: a sentence, or nothing.
    pub proviso: &'a str,
}

/// The answer for a policy.
pub fn answer(policy: &Policy, schedule: &Schedule, subject: &Subject, typical: Typical) -> Answer {
    let facts = Facts { policy, schedule, total: &schedule.total, typical: typical.ms() };
    let said = facts.sentence(&subject.why_count);
    let mut sentence = match subject.who.as_str() {
        "" => said.capitalised(),
        who => Words::default().plain(format!("{who}: ")).then(said),
    };
    if !subject.proviso.is_empty() {
        sentence = sentence.then(Words::of(&format!(" {}", subject.proviso)));
    }
    Answer {
        text: sentence.text(),
        sentence,
        brief: facts.brief(),
        figure: Some(facts.figure()),
        beside: facts.beside(),
        sum: facts.sum(),
    }
}

struct Facts<'a> {
    policy: &'a Policy,
    schedule: &'a Schedule,
    total: &'a Total,
    typical: Option<f64>,
}

impl Facts<'_> {
    fn best(&self) -> Option<f64> {
        let least = self.total.attainable_min_ms.or(self.total.min_ms)?;
        Some(self.total.bound_ms.map_or(least, |bound| least.min(bound)))
    }

    fn sentence(&self, why_count: &Words) -> Words {
        let (calls, retries) = match (self.schedule.calls, self.schedule.retries) {
            (Some(calls), Some(retries)) => (calls, retries),
            _ => return self.endless(why_count),
        };
        if retries == 0 {
            let words = Words::of("**1 call**, no retry");
            return if why_count.runs.is_empty() {
                words.plain(".")
            } else {
                words.plain(": ").then(why_count.clone())
            };
        }
        let upto = if self.policy.deadline.is_some() { "up to " } else { "" };
        let made = if calls == retries {
            "each followed by a wait, the last one too".to_string()
        } else {
            format!("the first and {}", counted(retries, "retry", "retries"))
        };
        Words::of(&format!("**{upto}{}**, {made}; {}", counted(calls, "call", "calls"), self.waits()))
    }

    /// "waits at most 23 s in total, 11.5 s typically."
    fn waits(&self) -> String {
        let Some(worst) = self.total.bound_ms else {
            return "the waits grow **beyond any number**.".into();
        };
        let text = |ms: f64| short(ms).text;
        if worst == 0.0 {
            return "**no wait** between them.".into();
        }
        if self.best() == Some(worst) {
            return format!("waits **_{}_** in total, always.", text(worst));
        }
        let mut said = format!("waits **at most _{}_** in total", text(worst));
        if let Some(typical) = self.typical {
            said += &format!(", _{}_ typically", text(typical));
        }
        said += ".";
        if self.total.attainable_max_ms.is_some() {
            said += " The waits depend on each other, so the sum of their maxima cannot happen.";
        }
        if self.total.bound_ms < self.total.max_ms {
            said += self.deadline_clause();
        }
        said
    }

    fn deadline_clause(&self) -> &'static str {
        match self.policy.deadline.map(|d| d.overrun) {
            Some(Overrun::Refuse) => " The deadline refuses the wait that would cross it.",
            Some(Overrun::Shorten) => " The deadline cuts the wait that would cross it.",
            Some(Overrun::Allow) => " The wait that crosses the deadline is still slept.",
            None => "",
        }
    }

    /// No bound on the number of calls.
    fn endless(&self, why_count: &Words) -> Words {
        let Some(deadline) = self.policy.deadline else {
            let words = Words::of("**never stops**. ");
            let why = if why_count.runs.is_empty() {
                Words::of("It calls for as long as calls fail.")
            } else {
                why_count.clone()
            };
            return words.then(why);
        };
        let mut said = format!(
            "**stops _{}_ after the first call**, however many calls that makes",
            short(deadline.limit_ms).text
        );
        if let Some(worst) = self.total.bound_ms {
            said += &format!("; waits at most _{}_ in total", short(worst).text);
        }
        Words::of(&(said + "." + self.deadline_clause()))
    }

    fn brief(&self) -> Words {
        let calls = match self.schedule.calls {
            Some(calls) => format!("**{}**", counted(calls, "call", "calls")),
            None if self.policy.deadline.is_some() => "**No limit of calls**".into(),
            None => return Words::of("**Never stops**"),
        };
        Words::of(&match self.total.bound_ms {
            Some(0.0) => format!("{calls}, no waiting"),
            Some(worst) if self.best() == Some(worst) => format!("{calls}, **_{}_** of waiting", short(worst).text),
            Some(worst) => format!("{calls}, at most **_{}_** of waiting", short(worst).text),
            None => format!("{calls}, waits beyond any number"),
        })
    }

    fn figure(&self) -> Figure {
        let none = if self.schedule.retries.is_some() { "beyond any number" } else { "no bound" };
        Figure::new("Worst-case total wait", self.total.bound_ms.map_or_else(|| Quantity::words(none), short))
    }

    fn beside(&self) -> Vec<Figure> {
        if self.total.bound_ms.is_none() {
            let retries = self.first_hour().filter(|n| *n > 0 && self.schedule.retries.is_none());
            let value = |n: u64| {
                let unit = if n == 1 { "retry" } else { "retries" };
                let parts = vec![Part { number: count(n), unit }];
                Quantity { text: format!("{} {unit}", count(n)), parts }
            };
            return retries.map(|n| Figure::new("In the first hour, about", value(n))).into_iter().collect();
        }
        let typical = self.typical.map(|ms| Figure::new("Typical (median)", short(ms)));
        let best = self.best().map(|ms| Figure::new("Best", short(ms)));
        typical.into_iter().chain(best).collect()
    }

    /// How many retries the mean waits of the first hour make; `None` where they are not known or too many to walk.
    fn first_hour(&self) -> Option<u64> {
        let mut elapsed = 0.0;
        for range in Walk::new(self.policy).take(LOOKED_AT) {
            elapsed += range.mean_ms()?;
            if elapsed > 3_600_000.0 {
                return Some(range.retry - 1);
            }
        }
        None
    }

    fn sum(&self) -> Words {
        let words = match (self.schedule.retries, self.total.max_ms) {
            (Some(0), _) => return Words::default().plain("Nothing is repeated, so nothing is waited for."),
            (Some(_), Some(_)) => self.terms(),
            (None, _) => return self.endless_sum(),
            (Some(_), None) => return Words::default(),
        };
        if self.best() == self.total.bound_ms {
            words.plain(". Without chance the three are one number. Time spent in the calls comes on top.")
        } else if self.total.bound_ms < self.total.max_ms {
            let all = short(self.total.max_ms.unwrap_or(f64::MAX)).text;
            words.then(Words::of(&format!(": the longest each wait can be; _{all}_ if all of them happened.")))
        } else {
            words.plain(": the longest each wait can be, added up. Time spent in the calls comes on top.")
        }
    }

    /// "1 + 2 + 4 + 8 + 8 s": the maxima, a run of equal ones as "95 × 8".
    fn terms(&self) -> Words {
        let maxima: Vec<f64> = self.schedule.waits.iter().filter_map(|w| w.max_ms).collect();
        let column = Column::of(maxima.iter().copied());
        let (size, unit) = if column == Column::Ms { (1.0, "ms") } else { (1e3, "s") };
        let mut runs: Vec<(f64, u64)> = Vec::new();
        for ms in maxima {
            match runs.last_mut() {
                Some((last, times)) if *last == ms => *times += 1,
                _ => runs.push((ms, 1)),
            }
        }
        let listed = self.schedule.waits.len() as u64;
        let rest = self.schedule.retries.unwrap_or(listed) - listed;
        let settled = runs.last().is_some_and(|(_, times)| *times > 3);
        if let (Some((_, times)), true) = (runs.last_mut(), rest > 0 && settled) {
            *times += rest;
        }
        let term = |ms: f64, times: u64| {
            let ms = number(significant(ms / size, 6));
            if times > 3 { vec![format!("{} × {ms}", count(times))] } else { vec![ms; times as usize] }
        };
        let mut terms: Vec<String> = runs.iter().flat_map(|(ms, times)| term(*ms, *times)).collect();
        if terms.len() > 12 || (rest > 0 && !settled) {
            terms.truncate(3);
            terms.push("…".into());
            let last = last_waits(self.policy, 1).first().and_then(|wait| wait.max_ms);
            terms.extend(last.map(|ms| number(significant(ms / size, 6))));
        }
        Words::default().plain(format!("{} {unit}", terms.join(" + ")))
    }

    fn endless_sum(&self) -> Words {
        let waits = &self.schedule.waits;
        let Some((last, max)) = waits.last().and_then(|w| Some((w, w.max_ms?))) else { return Words::default() };
        let settled = waits.iter().rev().take_while(|w| w.max_ms == Some(max)).last().filter(|w| w.retry < last.retry);
        let Some(from) = settled else {
            return Words::default().plain("The waits keep changing for as long as it goes on.");
        };
        let upto = if last.min_ms == max { "" } else { "up to " };
        let on = if from.retry > 1 { format!(" from retry {} on", count(from.retry)) } else { String::new() };
        let mean = last.mean_ms.filter(|_| last.min_ms != max);
        let mean = mean.map_or(String::new(), |ms| format!(", _{}_ on average", short(ms).text));
        Words::of(&format!("Each wait is {upto}_{}_{on}{mean}.", short(max).text))
    }
}

/// A median that may take long to find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Typical {
    /// It is this, ms.
    Is(f64),
    /// No law gives one.
    Unknown,
    /// It was not looked for yet.
    Later,
}

impl Typical {
    /// Whether the law of a policy's total is found while one types.
    pub fn is_quick(policy: &Policy) -> bool {
        policy.deadline.is_none() && policy.retries.is_some_and(|n| n <= QUICK) && is_computed(policy)
    }

    /// The median of a policy's total; `Later` where finding it would hold up the typing, unless `patient`.
    pub fn of(policy: &Policy, patient: bool) -> Typical {
        if !Typical::is_quick(policy) && !patient {
            return if policy.retries.is_none() && policy.deadline.is_none() {
                Typical::Unknown
            } else {
                Typical::Later
            };
        }
        let total = total_wait(policy, &Options::default());
        let median = total.percentiles.iter().find(|percentile| percentile.p == 0.5);
        median.map_or(Typical::Unknown, |percentile| Typical::Is(percentile.ms))
    }

    /// The time, ms, if it is there.
    pub fn ms(self) -> Option<f64> {
        match self {
            Typical::Is(ms) => Some(ms),
            Typical::Unknown | Typical::Later => None,
        }
    }
}
