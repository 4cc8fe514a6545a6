//! Every golden case, and the laws that every library keeps.

mod golden;

use backoff::finding::Severity;
use backoff::library::{Choice, Reading, all, by_id, read};
use backoff::schedule::schedule;
use golden::{differences, files, readings};
use serde_json::Value;

/// What is wrong with one case; empty when all is right.
fn check(library: &str, case: &Value) -> Vec<String> {
    let text = case["input"].as_str().expect("input");
    let expect = &case["expect"];
    let readings = match readings(library, text) {
        Ok(readings) => readings,
        Err(problem) => return vec![problem],
    };
    if let Some(about) = expect["error_about"].as_str() {
        return refused(&readings, text, about);
    }
    let mut out = differences(&readings[0], expect);
    if let Some(error) = readings[0].findings.iter().find(|f| f.severity == Severity::Error) {
        out.push(format!("a valid text has the error: {}", error.message));
    }
    for (at, block) in expect["blocks"].as_array().into_iter().flatten().enumerate() {
        match readings.get(at) {
            Some(reading) => out.extend(differences(reading, block).iter().map(|d| format!("block {at}: {d}"))),
            None => out.push(format!("block {at} was not found")),
        }
    }
    for alternative in expect["alternatives"].as_array().into_iter().flatten() {
        if !offered(&readings[0], text, alternative) {
            out.push(format!("no release or error class gives the alternative: {}", alternative["when"]));
        }
    }
    out
}

/// An invalid text has an error whose message or place is about what the case says.
fn refused(readings: &[Reading], text: &str, about: &str) -> Vec<String> {
    let errors: Vec<_> = readings.iter().flat_map(|r| &r.findings).filter(|f| f.severity == Severity::Error).collect();
    if errors.is_empty() {
        return vec![format!("no error about: {about}")];
    }
    let words: Vec<&str> = about.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| w.len() > 2).collect();
    let told = |f: &&&backoff::finding::Finding| {
        let place = f.span.map_or("", |s| s.of(text));
        words.iter().any(|w| text.contains(w) && (f.message.contains(w) || place.contains(w)))
            || !words.iter().any(|w| text.contains(w))
    };
    if errors.iter().find(told).is_none() {
        return vec![format!(
            "errors {:?} are not about: {about}",
            errors.iter().map(|f| &f.message).collect::<Vec<_>>()
        )];
    }
    Vec::new()
}

/// Whether another release or class of errors of the same library gives these waits.
fn offered(reading: &Reading, text: &str, wanted: &Value) -> bool {
    let library = reading.library;
    let releases = library.releases.iter().map(Some).chain([None]);
    releases.into_iter().any(|release| {
        library.error_classes.iter().map(Some).chain([None]).any(|class| {
            let choice = Choice {
                library: Some(library.id.to_string()),
                release: release.map(|r| r.to_string()),
                error_class: class.map(|c| c.to_string()),
            };
            read(text, &choice).first().is_some_and(|r| differences(r, wanted).is_empty())
        })
    })
}

#[test]
fn every_golden_case() {
    let only = std::env::var("LIBRARY").ok();
    let mut problems = Vec::new();
    let mut count = 0;
    let wanted = |id: &str| only.as_deref().is_none_or(|o| o.split(',').any(|o| o == id));
    for file in files().iter().filter(|f| wanted(&f.library)) {
        for case in &file.cases {
            count += 1;
            let name = format!("{}/{}", file.library, case["name"].as_str().unwrap_or("?"));
            problems.extend(check(&file.library, case).into_iter().map(|p| format!("{name}: {p}")));
        }
    }
    assert!(count > 0, "no case was found");
    assert!(problems.is_empty(), "{} problems in {count} cases:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn every_case_file_has_its_library() {
    for file in files() {
        assert!(by_id(&file.library).is_some(), "no library {}", file.library);
    }
}

#[test]
fn ids_are_unique_and_tables_are_whole() {
    let mut ids: Vec<_> = all().map(|l| l.id).collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id is used twice");
    for library in all() {
        for (what, text) in [("version", library.version), ("source", library.source), ("counts", library.counts)] {
            assert!(!text.is_empty(), "{}: no {what}", library.id);
        }
        assert!(library.examples.len() >= 2, "{}: fewer than two examples", library.id);
    }
}

#[test]
fn examples_are_read_as_themselves_and_mean_what_they_say() {
    for library in all() {
        for example in library.examples {
            let readings = read(example.text, &Choice::default());
            let named: Vec<_> = readings.iter().map(|r| r.library.id).collect();
            assert!(
                !named.is_empty() && named.iter().all(|id| *id == library.id),
                "{}: {named:?}\n{}",
                library.id,
                example.text
            );
            let got = schedule(&readings[0].policy, example.waits.len().max(1));
            let waits: Vec<_> =
                got.waits.iter().map(|w| (w.min_ms / 1e3, w.max_ms.unwrap_or(f64::INFINITY) / 1e3)).collect();
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1e-3);
            let same = waits.len() == example.waits.len()
                && waits.iter().zip(example.waits).all(|(a, b)| close(a.0, b.0) && close(a.1, b.1));
            assert!(same, "{}: {waits:?}, expected {:?}\n{}", library.id, example.waits, example.text);
            let error = readings[0].findings.iter().find(|f| f.severity == Severity::Error);
            assert!(error.is_none(), "{}: {error:?}\n{}", library.id, example.text);
        }
    }
}

#[test]
fn every_prefix_of_every_example_is_read_without_harm() {
    for library in all() {
        for example in library.examples {
            for (end, _) in example.text.char_indices() {
                let text = &example.text[..end];
                for reading in read(text, &Choice::default()) {
                    let spans = reading
                        .findings
                        .iter()
                        .filter_map(|f| f.span)
                        .chain(reading.origins.iter().filter_map(|o| o.span));
                    for span in spans.chain([reading.place.span]) {
                        assert!(text.get(span.start..span.end).is_some(), "{}: {span:?} in {text:?}", library.id);
                    }
                }
            }
        }
    }
}

/// Where a list of waits is only named, the library's own waits are no answer.
#[test]
fn a_list_that_is_only_named_is_said_to_be_unknown() {
    for text in [
        "Retriable.retriable(intervals: INTERVALS) { push }",
        "import { retry, handleAll, IterableBackoff } from 'cockatiel';\nretry(handleAll, { maxAttempts: 4, backoff: new IterableBackoff(delays) });",
        "[AutomaticRetry(Attempts = 3, DelaysInSeconds = Delays)]\npublic void Run() {}",
        "js.AddConsumer(\"S\", &nats.ConsumerConfig{MaxDeliver: 5, BackOff: backoffs})",
        "var p = Policy.Handle<Exception>().WaitAndRetryAsync(settings.Delays.Select(d => TimeSpan.FromSeconds(d)));",
        "e.UseMessageRetry(r => r.Intervals(delays));",
        "framework:\n  messenger:\n    transports:\n      a:\n        retry_strategy:\n          delay: '%retry_delay%'\n",
    ] {
        let readings = read(text, &Choice::default());
        assert_eq!(readings.len(), 1, "{text}");
        assert!(!readings[0].unknown.is_empty() && !readings[0].has_error(), "{text}: {:?}", readings[0].findings);
    }
}
