//! The fleet played out under its own jitter and under the usual ones, in steps, and what that comes to in words.

use super::inputs::{FleetRequest, Inputs};
use super::picture::{Drawn, Picture, picture};
use crate::fleet::{FirstWindows, FleetSpec, first_windows_of, scaled};
use crate::format::{Quantity, count, number, percent, short, significant};
use crate::policy::{Backoff, Jitter, Policy};
use crate::report::jitters::{FOUR, with};
use crate::report::words::Words;
use crate::schedule::schedule;
use crate::simulate::{MOST_CALLERS, Progress, Simulation, Simulator};
use serde::Serialize;

/// About how many arrivals one policy is played with, over all runs; and how many runs at least and at most.
const ARRIVALS: f64 = 2e6;
const RUNS: (f64, f64) = (3.0, 400.0);

/// A fleet under way.
pub struct Play {
    spec: FleetSpec,
    in_windows: bool,
    equal_mean: bool,
    /// The mean over the first windows, where they are fixed.
    first: Option<FirstWindows>,
    cast: Vec<Cast>,
    playing: Option<Simulator>,
    played: Vec<Simulation>,
    seed: u64,
}

/// One policy that is played.
struct Cast {
    id: &'static str,
    name: String,
    own: bool,
    policy: Policy,
    mean_ms: Option<f64>,
}

/// What a fleet played out comes to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FleetPlay {
    /// What becomes of the callers.
    pub outcome: Words,
    /// What the first round meets; may be empty.
    pub first: Words,
    /// The arrivals.
    pub picture: Picture,
    /// One row a jitter, this policy's first.
    pub rows: Vec<FleetRow>,
    /// How to read the rows.
    pub note: Words,
    /// Runs and seed.
    pub runs: Words,
}

/// The same fleet with one jitter.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FleetRow {
    /// The series of the picture.
    pub id: &'static str,
    /// Its name.
    pub name: String,
    /// Whether it is the policy itself.
    pub own: bool,
    /// The mean of the total wait of one who never gets through.
    pub mean: Quantity,
    /// Calls of all callers.
    pub calls: String,
    /// The most calls in a second.
    pub busiest: String,
    /// When the last one got through.
    pub last: Quantity,
    /// The share that gave up.
    pub gave_up: String,
}

/// Why a fleet is not played out; empty where it is.
pub fn unplayed(spec: &FleetSpec) -> Words {
    if spec.callers <= MOST_CALLERS {
        return Words::default();
    }
    Words::of(&format!(
        "Not played out: more than {} callers. What is above holds for any number.",
        count(MOST_CALLERS)
    ))
}

impl Play {
    /// Prepares one; `None` where there is nothing to play.
    pub fn new(policy: &Policy, request: &FleetRequest) -> Option<Play> {
        let inputs = Inputs::of(request);
        let retries = policy.retries.map_or(1_000.0, |n| n.min(1_000) as f64);
        let spec = inputs.spec().filter(|spec| retries > 0.0 && spec.callers <= MOST_CALLERS)?;
        let runs = (ARRIVALS / (spec.callers as f64 * retries)).floor().clamp(RUNS.0, RUNS.1) as u32;
        let mut cast = cast(policy);
        let own_ms = cast.first().and_then(|own| own.mean_ms);
        if inputs.equal_mean {
            for other in cast.iter_mut().skip(1) {
                let factor = own_ms.zip(other.mean_ms.filter(|ms| *ms > 0.0)).map(|(own, other)| own / other);
                let Some(factor) = factor else { continue };
                other.policy = scaled(&other.policy, factor);
                other.mean_ms = own_ms;
            }
        }
        let mut play = Play {
            first: first_windows_of(policy, &spec),
            spec: FleetSpec { runs, ..spec },
            in_windows: inputs.in_windows,
            equal_mean: inputs.equal_mean,
            cast,
            playing: None,
            played: Vec::new(),
            seed: inputs.seed?,
        };
        play.playing = play.next();
        play.playing.is_some().then_some(play)
    }

    fn next(&self) -> Option<Simulator> {
        Simulator::new(&self.cast.get(self.played.len())?.policy, &self.spec, self.seed).ok()
    }

    /// Plays on for about this many arrivals.
    pub fn step(&mut self, arrivals: usize) -> Progress {
        let all = self.cast.len() as f64;
        let Some(simulator) = &mut self.playing else { return Progress { share: 1.0, done: true } };
        let progress = simulator.step(arrivals);
        let share = (self.played.len() as f64 + progress.share) / all;
        if progress.done {
            self.played.extend(self.playing.take().map(Simulator::finish));
            self.playing = self.next();
        }
        Progress { share, done: self.playing.is_none() }
    }

    /// What it comes to, when all is played.
    pub fn finish(self) -> Option<FleetPlay> {
        let own = self.played.first()?;
        let pairs = || self.cast.iter().zip(&self.played);
        let drawn: Vec<Drawn> = pairs()
            .map(|(cast, simulation)| Drawn { id: cast.id, name: &cast.name, own: cast.own, simulation })
            .collect();
        let each = if self.equal_mean {
            "Each at this policy’s mean total wait: their times are stretched to it."
        } else {
            "They do not wait equally long; keep the mean in view."
        };
        let spread = match drawn.iter().any(|drawn| drawn.id == "none") {
            true => format!(" Without jitter: one offset of up to _{}_ per caller.", short(self.spec.spread_ms).text),
            false => String::new(),
        };
        Some(FleetPlay {
            outcome: outcome(own, self.spec.callers),
            first: self.first.as_ref().map_or(Words::default(), |first| first_round(first, &self.spec)),
            picture: picture(&drawn, &self.spec, self.in_windows),
            rows: pairs().map(|(cast, played)| row(cast, played)).collect(),
            note: Words::of(&format!("Means over the runs. {each}")),
            runs: Words::of(&format!("{} runs, seed {}.{spread}", count(own.runs.into()), own.seed)),
        })
    }
}

/// The policy, and itself under each of the other usual jitters where they act on it.
fn cast(policy: &Policy) -> Vec<Cast> {
    let mean_ms = |policy: &Policy| schedule(policy, 0).total.mean_ms;
    let own = FOUR.iter().find(|(_, jitter)| *jitter == policy.wait.jitter);
    let name = own.map_or("this policy".into(), |(name, _)| format!("{name}, this policy"));
    let own =
        Cast { id: own.map_or("own", |(id, _)| id), name, own: true, policy: policy.clone(), mean_ms: mean_ms(policy) };
    let others = FOUR
        .iter()
        .rev()
        .filter(|(_, jitter)| *jitter != policy.wait.jitter && !matches!(policy.wait.backoff, Backoff::Table { .. }));
    let other = |(id, jitter): &(&'static str, Jitter)| {
        let policy = with(policy, *jitter);
        Cast { id, name: id.to_string(), own: false, mean_ms: mean_ms(&policy), policy }
    };
    std::iter::once(own).chain(others.map(other)).collect()
}

/// "On average the last is through at 10.8 s; under 0.1 % give up."
fn outcome(own: &Simulation, callers: u64) -> Words {
    let last = own.last_admitted_ms.map_or("Nobody gets through".into(), |ms| {
        if callers == 1 {
            format!("It is through at _{}_ on average", short(ms).text)
        } else {
            format!("On average the last is through at _{}_", short(ms).text)
        }
    });
    let gave_up = match own.gave_up_share {
        0.0 if own.unfinished_share == 0.0 => "none gave up".into(),
        0.0 => format!("{} were still waiting after 1000 retries", percent(own.unfinished_share)),
        share => format!("{} give up", percent(share)),
    };
    Words::of(&format!("Those let through leave; the others draw again. {last}; {gave_up}."))
}

/// "At the first retry 333 of 400 are refused on average …".
fn first_round(first: &FirstWindows, spec: &FleetSpec) -> Words {
    let refused = number(significant(first.refused, 3));
    let window = short(spec.window_ms).text;
    let clean = match first.clean {
        Some(clean) => format!("; the probability that none is refused is {}", percent(clean)),
        None => String::new(),
    };
    Words::of(&format!(
        "With fixed windows of _{window}_, {refused} of {} first retries are refused on average{clean}.",
        count(spec.callers)
    ))
}

fn row(cast: &Cast, played: &Simulation) -> FleetRow {
    let whole = |n: f64| count(n.round().max(0.0) as u64);
    FleetRow {
        id: cast.id,
        name: cast.name.clone(),
        own: cast.own,
        mean: cast.mean_ms.map_or_else(|| Quantity::words("not known"), short),
        calls: whole(played.calls),
        busiest: whole(played.peak1s_per_s),
        last: played.last_admitted_ms.map_or_else(|| Quantity::words("nobody"), short),
        gave_up: match played.gave_up_share {
            0.0 => "none".into(),
            share => percent(share),
        },
    }
}
