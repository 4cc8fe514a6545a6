//! Everything the page shows for one state of its inputs, already worded: the page makes elements of it and nothing
//! else. No HTML and no place in a page is known here; spans are byte offsets of the text.

mod answer;
mod assumed;
mod aws;
mod begun;
mod beside;
mod compare;
mod fields;
mod fits;
mod fleet;
mod form;
mod how;
mod inverse;
mod jitters;
mod keys;
mod layers;
mod picture;
mod place;
mod reader;
mod shape;
mod table;
mod take;
mod total;
mod words;

pub use crate::format::{Part, Quantity};
pub use answer::{Answer, Figure};
pub use aws::{AwsCell, AwsPlay, AwsResult, AwsRow};
pub use compare::{ComparePart, CompareRequest, CompareRow, CompareWorking, PairRow, Pairs, Range};
pub use fields::Field;
pub use fits::{Fits, LimitRow, Verdict};
pub use fleet::{
    FleetField, FleetPart, FleetPlay, FleetRequest, FleetRow, Label, Picture, Play, RoundRow, Rounds, Series, Working,
};
pub use form::link;
pub use how::HowLine;
pub use jitters::JitterRow;
pub use keys::{LinkKeys, link_keys};
pub use layers::{LayerRow, LayersPart, LayersRequest, LayersWorking};
pub use picture::{AxisRow, AxisTick, DeadlineLine, Flag, Stem, TotalPicture};
pub use reader::{BlockRow, FindingRow, Group, Mark, Offer, ReadAs};
pub use table::{Axis, Fold, Row, Table, Tick, TotalRow};
pub use take::{TakePart, TakeRequest};
pub use total::{TotalLine, TotalPart};
pub use words::{Look, Run, Words};

use crate::finding::Finding;
use crate::library::{self, Choice, Reading};
use crate::notation;
use crate::policy::Policy;
use crate::rule;
use crate::schedule::schedule;
use crate::span::{Span, Utf16};
use answer::Typical;
use fields::Source;
use form::{Problem, Settings};
use place::Lines;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Texts longer than this get no marks.
const MARKED: usize = 50_000;

/// How many waits the answer and the table look at.
const LISTED: usize = 100;

/// The state of the page's inputs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Request {
    /// What stands in the text area: a configuration, or a link of this page.
    pub text: String,
    /// What the reader chose where the text leaves a choice.
    pub choice: Choice,
    /// Which block of the text, from 0.
    pub block: usize,
    /// The link that the page was opened by; its policy holds while the text gives none.
    pub link: String,
    /// A policy that the reader took in the place of the text's, as a link; may be empty.
    pub taken: String,
    /// What the reader typed into the form, by key.
    pub edits: BTreeMap<String, String>,
    /// What the reader assumes beside the policy, by key: the time of a call, limits.
    pub assumed: BTreeMap<String, String>,
    /// The last text of each key that could be used.
    pub held: BTreeMap<String, String>,
    /// Whether a long schedule is listed in full.
    pub all_rows: bool,
    /// Whether numbers that take long are found too, and not left for later.
    pub patient: bool,
    /// The fleet.
    pub fleet: FleetRequest,
    /// How the answer is to be taken elsewhere.
    pub take: TakeRequest,
    /// What the policy is compared with.
    pub compare: CompareRequest,
    /// The layers around it and below it.
    pub layers: LayersRequest,
}

/// What the page shows.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Report {
    /// Who it was read as; absent while there is no text.
    pub read_as: Option<ReadAs>,
    /// How many blocks the text has.
    pub block_count: String,
    /// The blocks of the text, where there are several; the first ones of very many.
    pub blocks: Vec<BlockRow>,
    /// Which of them is shown.
    pub block: usize,
    /// What is marked in the text.
    pub marks: Vec<Mark>,
    /// Why nothing is marked; may be empty.
    pub marks_note: &'static str,
    /// The answer.
    pub answer: Answer,
    /// What is worth saying, the worst first.
    pub findings: Vec<FindingRow>,
    /// The form.
    pub fields: Vec<Field>,
    /// Whether the policy is the reader's own and no longer the text's.
    pub own: bool,
    /// What the answer still uses in the place of fields that cannot be used; may be empty.
    pub held: String,
    /// The schedule; absent where there is no policy or no wait.
    pub table: Option<Table>,
    /// The same policy under the usual jitters.
    pub jitters: Vec<JitterRow>,
    /// The total of all waits; absent where there is no wait.
    pub total: Option<TotalPart>,
    /// Many callers with the policy; absent where there is none.
    pub fleet: Option<FleetPart>,
    /// The policy beside a second one; absent where there is none.
    pub compare: Option<ComparePart>,
    /// What the policy is a layer of; absent where there is none.
    pub layers: Option<LayersPart>,
    /// The figures of the explanation.
    pub how: Vec<HowLine>,
    /// The answer as a text for somewhere else; absent while nobody looks.
    pub take: Option<TakePart>,
    /// The policy as a link, without `#`; empty where there is none.
    pub link: String,
    /// Whether numbers that take long were left out; a patient request finds them.
    pub unfinished: bool,
}

/// The policy with everything that is known beside it.
struct State<'t> {
    lines: Lines<'t>,
    readings: Vec<Reading>,
    block: usize,
    base: Option<Policy>,
    linked: bool,
    policy: Option<Policy>,
    /// What the reader changed, by key: typed, or taken with another policy.
    edits: BTreeMap<String, String>,
    problems: BTreeMap<String, Problem>,
    findings: Vec<Finding>,
}

impl<'t> State<'t> {
    fn of(request: &'t Request) -> State<'t> {
        let pasted = keys::link_of(&request.text);
        let text = if pasted.is_some() { "" } else { request.text.as_str() };
        let link = pasted.unwrap_or(&request.link);
        let doc = notation::read(text);
        let readings = library::read_document(&doc, &request.choice);
        let block = request.block.min(readings.len().saturating_sub(1));
        let mut findings = doc.findings;
        let linked = text.trim().is_empty() && !link.is_empty();
        let (mut settings, base) = match readings.get(block) {
            Some(reading) => (Settings::of(&reading.policy), Some(reading.policy.clone())),
            None if linked => {
                let (settings, said) = Settings::of_link(link);
                findings.extend(said);
                let read = settings.policy();
                findings.extend(read.iter().flat_map(|(_, said)| said.clone()));
                (settings, read.map(|(policy, _)| policy))
            }
            None => (Settings::default(), None),
        };
        let taken = (!request.taken.is_empty()).then(|| Settings::of_link(&request.taken).0);
        let taken = taken.and_then(|taken| Some((taken.policy()?.0, taken)));
        let mut edits = BTreeMap::new();
        if let Some((policy, taken)) = &taken {
            settings = taken.clone();
            let text = |policy: &Policy, key| form::field_text(policy, key);
            let changed =
                form::KEYS.iter().filter(|key| base.as_ref().map(|base| text(base, key)) != Some(text(policy, key)));
            edits.extend(changed.map(|key| (key.to_string(), text(policy, key))));
        }
        let mut problems = BTreeMap::new();
        for (key, typed) in &request.edits {
            if let Err(problem) = settings.set(key, typed) {
                problems.insert(key.clone(), problem);
                // A text that held before is no problem now; if it were, the policy's own value stays.
                let _ = request.held.get(key).map(|held| settings.set(key, held));
            }
        }
        edits.extend(request.edits.clone());
        let untouched = request.edits.is_empty() && taken.is_none();
        let policy = match &base {
            _ if untouched => base.clone(),
            None if !linked && !settings.counts() => None,
            _ => settings.policy().map(|(policy, _)| policy),
        };
        match readings.get(block) {
            Some(reading) if untouched => findings.extend(reading.findings.iter().cloned()),
            _ => {}
        }
        let mut state =
            State { lines: Lines::new(text), readings, block, base, linked, policy, edits, problems, findings };
        let beside = beside::of(&state, request);
        // A field that the reader changed has no place in the text any more.
        let given = state.reading().filter(|_| untouched);
        let place = |field: &str| given?.origins.iter().find(|origin| origin.field == field)?.span;
        let written_for = state.reading().map(|reading| reading.library);
        let judged = state.policy.as_ref().map(|policy| {
            let has_words = |fix: &Policy| written_for.is_none_or(|library| library::has_words(library, policy, fix));
            rule::findings(policy, beside, place, has_words)
        });
        state.findings.extend(judged.into_iter().flatten());
        state
    }

    fn reading(&self) -> Option<&Reading> {
        self.readings.get(self.block)
    }

    fn answer(&self, request: &Request) -> Answer {
        let Some(policy) = &self.policy else {
            return answer::nothing(match self.linked || request.text.trim().is_empty() {
                true if !self.edits.is_empty() || self.linked => {
                    "Not complete yet: a base and a number of attempts are needed; nothing is assumed."
                }
                true => "Nothing to read yet. Paste a configuration, pick an example, or fill in the form.",
                false => "Nothing about retries was found in this text. Pick a library, or fill in the form.",
            });
        };
        let own = answer::Subject { who: String::new(), why_count: Words::default(), proviso: "" };
        let subject = match self.reading() {
            Some(_) if !self.edits.is_empty() => answer::Subject { who: "Your own policy".into(), ..own },
            Some(reading) => reader::subject(&self.readings, reading),
            None => own,
        };
        answer::answer(policy, &schedule(policy, LISTED), &subject, Typical::of(policy, request.patient))
    }

    /// "The answer still uses the base of 1 s until you choose."
    fn held(&self) -> String {
        let used = self.problems.iter().filter_map(|(key, problem)| {
            let value = form::field_text(self.policy.as_ref()?, key);
            let name = match key.as_str() {
                "retries" => "attempts".into(),
                key => key.replace('-', " "),
            };
            let until = if matches!(problem, Problem::Unit(_)) { "until you choose" } else { "meanwhile" };
            Some(match value.as_str() {
                "" => format!("The answer leaves the {name} out {until}."),
                value => format!("The answer still uses the {name} of {value} {until}."),
            })
        });
        used.collect::<Vec<_>>().join(" ")
    }
}

/// The report of one state of the page's inputs; spans are byte offsets.
pub fn report(request: &Request) -> Report {
    let request = &*keys::with_pasted(request);
    let state = State::of(request);
    let policy = state.policy.as_ref();
    let listed = if request.all_rows { table::MOST as usize } else { LISTED };
    let some_waits = policy.filter(|p| p.retries != Some(0));
    let reading = state.readings.get(state.block);
    let source = Source {
        base: state.base.as_ref(),
        policy,
        reading,
        linked: state.linked,
        edits: &state.edits,
        problems: &state.problems,
        lines: &state.lines,
    };
    let marked = request.text.len() <= MARKED;
    let has_text = !request.text.trim().is_empty() && !state.linked;
    let second = policy.map_or_else(Default::default, |p| compare::second(&state, p, request));
    let mut report = Report {
        read_as: has_text.then(|| reader::read_as(reading, &request.choice)),
        block_count: crate::format::count(state.readings.len() as u64),
        blocks: reader::blocks(&state.readings, &state.lines),
        block: state.block,
        marks: if marked { reader::marks(reading, &state.findings, &state.lines) } else { Vec::new() },
        marks_note: if marked { "" } else { "The text is too long to be marked; the findings keep their places." },
        answer: state.answer(request),
        fields: source.fields(),
        own: !state.edits.is_empty() && reading.is_some(),
        held: state.held(),
        table: some_waits.map(|p| table::table(p, &schedule(p, listed), request.all_rows)),
        jitters: policy.map_or(Vec::new(), |p| jitters::jitters(p, request.patient)),
        total: some_waits.map(|p| total::total(p, request)),
        how: policy.map_or(Vec::new(), |p| how::lines(p, request)),
        fleet: policy.map(|p| fleet::part(p, reading.map(|r| r.library), &request.fleet)),
        compare: policy.map(|p| compare::part(&state, p, &second, request)),
        layers: policy.map(|p| layers::part(&state, p, request)),
        link: policy.map_or(String::new(), |p| link_of(p, &second, request)),
        unfinished: !request.patient && policy.is_some_and(|p| p.retries != Some(0)),
        findings: reader::findings(state.findings, policy, &state.lines),
        take: None,
    };
    report.take = take::part(&report, policy, reading, request);
    report
}

/// Everything of the page that a link holds.
fn link_of(policy: &Policy, second: &compare::Second, request: &Request) -> String {
    let link = fleet::with_link(form::link(policy) + &assumed::link(request), &request.fleet);
    layers::with_link(compare::with_link(link, second), request)
}

/// The fleet of one state of the page's inputs, ready to be played out; `None` where there is nothing to play.
pub fn play(request: &Request) -> Option<Play> {
    let request = &*keys::with_pasted(request);
    Play::new(State::of(request).policy.as_ref()?, &request.fleet)
}

/// One sentence on each reading: the answer without the page around it, and without numbers that take long.
pub fn sentences(readings: &[Reading]) -> Vec<String> {
    // A long text says the same over and over.
    let mut known: Vec<(&Policy, Typical)> = Vec::new();
    let mut said = Vec::new();
    for reading in readings {
        let policy = &reading.policy;
        let before = known.iter().find(|(other, _)| *other == policy).map(|(_, typical)| *typical);
        let typical = before.unwrap_or_else(|| Typical::of(policy, false));
        if before.is_none() {
            known.push((policy, typical));
        }
        let subject = reader::subject(readings, reading);
        said.push(answer::answer(policy, &schedule(policy, LISTED), &subject, typical).text);
    }
    said
}

impl Report {
    /// The same with every span in UTF-16 offsets of the text.
    pub fn utf16(mut self, text: &str) -> Report {
        let map = Utf16::new(text);
        let convert = |span: &mut Span| *span = map.span(*span);
        self.marks.iter_mut().for_each(|mark| convert(&mut mark.span));
        self.findings.iter_mut().filter_map(|f| f.span.as_mut()).for_each(convert);
        self.fields.iter_mut().filter_map(|f| f.span.as_mut()).for_each(convert);
        let runs = self.fields.iter_mut().flat_map(|f| &mut f.source.runs);
        runs.filter_map(|run| run.span.as_mut()).for_each(convert);
        self
    }
}
