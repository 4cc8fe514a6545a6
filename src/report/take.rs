//! Part "Take it with you": what the page says as a text for somewhere else. Pictures are drawn by the page; everything
//! that has words is written here.

mod configuration;
mod embed;
mod grid;
mod json;
mod markdown;
mod plain;
mod sheet;

use super::reader::Offer;
use super::table::Table;
use super::words::Words;
use super::{Report, Request};
use crate::finding::Severity;
use crate::library::Reading;
use crate::policy::Policy;
use grid::Grid;
use serde::{Deserialize, Serialize};

/// How the reader wants to take it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TakeRequest {
    /// Whether it is looked at; nothing is written before.
    pub open: bool,
    /// As what: `summary`, `markdown`, `text`, `csv`, `json`, `settings`, `configuration`, `embed`, or `svg` and
    /// `png`, which have no text.
    pub format: String,
    /// The page's address without `#`, where others can open it too; empty where they cannot.
    pub address: String,
    /// The theme of an embedded page: `light`, `dark`, or the reader's.
    pub theme: String,
    /// The library whose configuration it becomes, by its id; empty: the one that was read.
    pub library: String,
}

/// The answer, to be taken elsewhere.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TakePart {
    /// The text; empty where a picture is asked for, and while its numbers are still looked for.
    pub text: String,
    /// What a file with it is called.
    pub file: String,
    /// Its media type.
    pub media: &'static str,
    /// What to know of it; may be empty.
    pub note: Words,
    /// What a configuration does not say or says differently.
    pub losses: Vec<Words>,
    /// The libraries that a configuration can be written for, while one is asked for.
    pub targets: Vec<Offer>,
    /// The one that it is written for.
    pub target: &'static str,
}

/// What the texts are made from.
struct Source<'a> {
    report: &'a Report,
    policy: &'a Policy,
    reading: Option<&'a Reading>,
    request: &'a Request,
}

/// What to do with the settings.
const SETTINGS: &str = "Paste it into the text area of this page, or put it after the `#` of its address.";

/// The part; `None` while it is closed or there is nothing to take.
pub(super) fn part(
    report: &Report,
    policy: Option<&Policy>,
    reading: Option<&Reading>,
    request: &Request,
) -> Option<TakePart> {
    let take = &request.take;
    if take.open && take.format == "configuration" {
        return policy.map(|policy| configuration::part(policy, reading, &take.library));
    }
    // A policy of the reader's own is nobody's any more.
    let reading = reading.filter(|_| !report.own);
    let source = Source { report, policy: policy.filter(|_| take.open)?, reading, request };
    let nothing = |_: &Source| String::new();
    // One line each.
    let (ending, media, note, write): (_, _, _, fn(&Source) -> String) = match take.format.as_str() {
        "summary" => ("txt", "text/plain", "", plain::summary),
        "text" => ("txt", "text/plain", "", plain::text),
        "markdown" => ("md", "text/markdown", "", markdown::text),
        "csv" => ("csv", "text/csv", "Times in ms, one row a wait; an empty cell has no number.", sheet::csv),
        "json" => ("json", "application/json", "The shapes that the README describes; times in ms.", json::text),
        "settings" => ("txt", "text/plain", SETTINGS, |source| source.report.link.clone()),
        "embed" => ("html", "text/html", embed::note(&take.address), embed::snippet),
        "svg" => ("svg", "image/svg+xml", "", nothing),
        "png" => ("png", "image/png", "", nothing),
        _ => ("txt", "text/plain", "", nothing),
    };
    // Slow numbers come with the patient report; a text without them would be another text.
    let later = report.total.as_ref().is_some_and(|total| total.unfinished);
    let text =
        if later && !["settings", "embed"].contains(&take.format.as_str()) { String::new() } else { write(&source) };
    Some(TakePart { text, file: format!("backoff.{ending}"), media, note: Words::of(note), ..TakePart::default() })
}

impl Source<'_> {
    /// The sentences of a summary, the answer first.
    fn sentences(&self) -> Vec<Words> {
        let mut said = vec![self.report.answer.sentence.clone()];
        if let Some(total) = &self.report.total {
            let asked = self.policy.deadline.is_some() || !total.call_time.value.trim().is_empty();
            match total.table.first().map(|line| line.cells.as_slice()) {
                _ if asked => said.push(total.lead.clone()),
                Some([_, _, p95, p99, _, worst]) if p99.text != worst.text => {
                    let words = format!("_95 %_ of runs wait at most _{}_, _99 %_ at most _{}_.", p95.text, p99.text);
                    said.push(Words::of(&words));
                }
                _ => {}
            }
        }
        let fleet = self.report.fleet.as_ref().filter(|_| !self.request.fleet.typed.is_empty());
        said.extend(fleet.map(|fleet| fleet.lead.clone()));
        said
    }

    /// What is wrong or will hurt: the severity in a word, and what is the case.
    fn warnings(&self) -> Vec<(&'static str, Words)> {
        let said = self.report.findings.iter().filter_map(|finding| {
            let severity = match finding.severity {
                Severity::Error => "Error",
                Severity::Warning => "Warning",
                Severity::Note => return None,
            };
            Some((severity, finding.message.clone()))
        });
        said.collect()
    }

    /// The schedule as the page shows it, and what is left out of it.
    fn schedule(&self) -> Option<(Grid, &str)> {
        let Table { rows, fold, last, total, .. } = self.report.table.as_ref()?;
        let mut grid = Grid::new(&["Attempt", "Min", "Max", "Mean", "Worst total so far"]);
        let mut row = |attempt: &str, cells: [&str; 4]| grid.row([&[attempt][..], &cells].concat());
        for wait in rows {
            row(&wait.attempt, [&wait.min, &wait.max, &wait.mean, &wait.so_far].map(|cell| cell.text.as_str()));
        }
        if fold.is_some() {
            row("…", [""; 4]);
        }
        for wait in last {
            row(&wait.attempt, [&wait.min, &wait.max, &wait.mean, &wait.so_far].map(|cell| cell.text.as_str()));
        }
        row("Total", [&total.min, &total.max, &total.mean, &total.max].map(|cell| cell.text.as_str()));
        Some((grid, fold.as_ref().map_or("", |fold| fold.text.as_str())))
    }

    /// The percentiles as the page shows them.
    fn percentiles(&self) -> Option<Grid> {
        let table = &self.report.total.as_ref()?.table;
        let mut grid = Grid::new(&["", "p50", "p90", "p95", "p99", "p99.9", "worst"]);
        for line in table {
            grid.row(std::iter::once(line.name).chain(line.cells.iter().map(|cell| cell.text.as_str())).collect());
        }
        (!table.is_empty()).then_some(grid)
    }

    /// The link, where others can open it; otherwise its settings alone.
    fn link(&self) -> String {
        match self.request.take.address.as_str() {
            "" => self.report.link.clone(),
            address => format!("{address}#{}", self.report.link),
        }
    }
}
