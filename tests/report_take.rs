//! What is taken elsewhere: every text is opened by something else than what wrote it, and means there what it means here.

use backoff::library;
use backoff::policy::check;
use backoff::report::{Report, Request, TakePart, TakeRequest, report};
use backoff::schedule::schedule;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

const LINK: &str = "v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full";

/// A block whose name, keys and values are an attack on whatever shows them.
const HOSTILE: &str = r##"resilience4j.retry.instances:
  "=cmd|' /C calc'!A0<script>alert(1)</script>":
    maxAttempts: 5
    waitDuration: 500ms
    "wait|**x**`_[a](http://evil.test)@all www.evil.test": 3
  other:
    maxAttempts: 4
    waitDuration: 1s
"##;

fn request(text: &str, link: &str, format: &str) -> Request {
    let take = TakeRequest { open: true, format: format.into(), ..TakeRequest::default() };
    Request { text: text.into(), link: link.into(), patient: true, take, ..Request::default() }
}

fn whole(text: &str, link: &str, format: &str) -> (Report, TakePart) {
    let mut report = report(&request(text, link, format));
    let part = report.take.take().unwrap();
    (report, part)
}

fn text(link: &str, format: &str) -> String {
    whole("", link, format).1.text
}

#[test]
fn nothing_is_written_until_it_is_looked_at() {
    let closed = Request { link: LINK.into(), ..Request::default() };
    assert!(report(&closed).take.is_none());
    assert!(report(&request("", "", "markdown")).take.is_none());
}

#[test]
fn the_summary_is_one_paragraph() {
    // 95 % and 99 % as `reference/` has them: 17.34 and 19.18 s.
    let said = "6 calls, the first and 5 retries; waits at most 23 s in total, 11.5 s typically. 95 % of runs wait at most \
                17.3 s, 99 % at most 19.2 s. (v=1&base=1s&factor=2&cap=8s&retries=5&jitter=full)\n";
    assert_eq!(text(LINK, "summary"), said);
    let fleet = text("v=1&base=1s&retries=2&jitter=full", "summary");
    assert_eq!(fleet.lines().count(), 1, "{fleet}");
}

#[test]
fn a_spreadsheet_reads_the_numbers_of_the_schedule() {
    for link in [LINK, "v=1&base=1s&factor=1.5&retries=40&jitter=decorrelated&cap=1h", "v=1&base=10ms&retries=0"] {
        let csv = text(link, "csv");
        assert!(csv.ends_with("\r\n") && csv.matches('\n').count() == csv.matches("\r\n").count(), "{csv:?}");
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let heads = ["attempt", "min_ms", "max_ms", "mean_ms", "worst_total_so_far_ms"];
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), heads);
        let policy = library::read_link(link.trim_start_matches("v=1&")).policy;
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_string).collect()).collect();
        let waits = schedule(&policy, 10_000).waits;
        assert_eq!(rows.len(), waits.len());
        for (row, wait) in rows.iter().zip(&waits) {
            let number = |at: usize| row[at].parse::<f64>().ok();
            assert_eq!(row[0], wait.retry.to_string());
            assert_eq!((number(1), number(2), number(3)), (Some(wait.min_ms), wait.max_ms, wait.mean_ms));
            assert_eq!(number(4), wait.worst_so_far_ms);
        }
    }
}

#[test]
fn a_spreadsheet_finds_no_formula() {
    for link in [LINK, "v=1&base=1s&factor=1e9&retries=400", "v=1&backoff=linear&base=5s&increment=-1s&retries=9"] {
        let csv = text(link, "csv");
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
        for row in reader.records().skip(1) {
            let row = row.unwrap();
            let number = |cell: &str| cell.is_empty() || cell.parse::<f64>().is_ok_and(|n| n >= 0.0);
            assert!(row.iter().all(number), "{row:?}");
        }
    }
}

/// The cells of each table of a Markdown text, and everything outside of them as it is shown.
fn opened(markdown: &str) -> (Vec<Vec<Vec<String>>>, String) {
    let (mut tables, mut shown, mut inside) = (Vec::<Vec<Vec<String>>>::new(), String::new(), false);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Table(_)) => (inside, _) = (true, tables.push(Vec::new())),
            Event::End(TagEnd::Table) => inside = false,
            Event::Start(Tag::TableHead | Tag::TableRow) => tables.last_mut().unwrap().push(Vec::new()),
            Event::Start(Tag::TableCell) => tables.last_mut().unwrap().last_mut().unwrap().push(String::new()),
            Event::Text(text) | Event::Code(text) if inside => {
                *tables.last_mut().unwrap().last_mut().unwrap().last_mut().unwrap() += &text;
            }
            Event::Text(text) | Event::Code(text) => shown += &text,
            Event::End(TagEnd::Paragraph | TagEnd::Item) => shown += "\n",
            Event::Html(text) | Event::InlineHtml(text) => panic!("the Markdown holds HTML: {text}"),
            Event::Start(Tag::Link { dest_url, .. }) => shown += &format!("→{dest_url} "),
            _ => {}
        }
    }
    (tables, shown)
}

#[test]
fn markdown_shows_the_tables_of_the_page() {
    let (report, part) = whole("", LINK, "markdown");
    let (tables, shown) = opened(&part.text);
    let page = report.table.unwrap();
    let row = |w: &backoff::report::Row| {
        [&w.attempt, &w.min.text, &w.max.text, &w.mean.text, &w.so_far.text].map(String::clone)
    };
    let expected: Vec<Vec<String>> = page.rows.iter().map(|w| row(w).to_vec()).collect();
    assert_eq!(tables.len(), 2);
    assert_eq!(tables[0][0], ["Attempt", "Min", "Max", "Mean", "Worst total so far"]);
    assert_eq!(tables[0][1..=5], expected[..]);
    assert_eq!(tables[0][6], ["Total", "0 s", "23 s", "11.5 s", "23 s"]);
    let percentiles: Vec<String> = report.total.unwrap().table[0].cells.iter().map(|c| c.text.clone()).collect();
    assert_eq!(tables[1][1][1..], percentiles[..]);
    assert!(shown.starts_with(&report.answer.text) && shown.contains(&report.link), "{shown}");
}

#[test]
fn hostile_text_is_text_in_markdown() {
    let (report, part) = whole(HOSTILE, "", "markdown");
    let (_, shown) = opened(&part.text);
    assert!(report.answer.text.contains("<script>"), "{}", report.answer.text);
    assert!(shown.starts_with(&report.answer.text), "{shown}");
    let finding = report.findings.iter().find(|f| f.code == "unknown-key").unwrap();
    assert!(shown.contains(&finding.message.text()) && finding.message.text().contains("www.evil.test"), "{shown}");
    // What GitHub makes links and mentions of by itself is inside of code or escaped.
    let outside: String = part.text.split('`').step_by(2).collect();
    assert!(!outside.contains("http://") && !outside.contains("www.") && !outside.contains(" @"), "{outside}");
}

#[test]
fn hostile_text_is_text_in_json_and_html() {
    let (report, part) = whole(HOSTILE, "", "json");
    let value: Value = serde_json::from_str(&part.text).unwrap();
    assert_eq!(value["answer"], report.answer.text);
    let mut request = request("", "v=1&base=1s&factor=2&retries=2&\"><script>alert(1)</script>=1", "embed");
    request.take.address = "https://host.test/a\"b<c>.html".into();
    let snippet = report_text(&request);
    assert!(snippet.contains("src=\"https://host.test/a&quot;b&lt;c&gt;.html#v=1&amp;base=1s&amp;"), "{snippet}");
    assert_eq!(snippet.matches("<script").count(), 1, "{snippet}");
}

fn report_text(request: &Request) -> String {
    report(request).take.unwrap().text
}

#[test]
fn json_holds_the_shapes_that_compute_the_same() {
    let value: Value = serde_json::from_str(&text(LINK, "json")).unwrap();
    let policy = check::from_json(&value["policy"].to_string()).unwrap();
    assert_eq!(policy, library::read_link(LINK.trim_start_matches("v=1&")).policy);
    // 1 + 2 + 4 + 8 + 8.
    assert_eq!(value["schedule"]["total"]["boundMs"], 23_000.0);
    assert_eq!(value["totalWait"]["percentiles"][0]["ms"], 11_500.0);
    assert!(value.get("fleet").is_none());
    let mut request = request("", LINK, "json");
    request.fleet.typed.insert("callers".into(), "400".into());
    let value: Value = serde_json::from_str(&report_text(&request)).unwrap();
    // 400 callers over 4000 a minute: 6 s.
    assert_eq!(value["fleet"]["neededBaseMs"], 6_000.0);
}

#[test]
fn settings_pasted_into_the_text_area_are_the_same_page() {
    let mut from = request("", LINK, "settings");
    from.fleet.typed.insert("callers".into(), "1000".into());
    from.assumed.insert("call-time".into(), "2s".into());
    let first = report(&from);
    let settings = first.take.as_ref().unwrap().text.clone();
    for pasted in
        [settings.clone(), format!("#{settings}\n"), format!("https://host.test/backoff.html#{settings}&embed=1")]
    {
        let again = report(&Request { text: pasted, patient: true, ..Request::default() });
        assert_eq!(again.link, first.link);
        assert_eq!(again.answer.text, first.answer.text);
        assert_eq!(again.total.as_ref().unwrap().lead, first.total.as_ref().unwrap().lead.clone());
        assert_eq!(again.fleet.as_ref().unwrap().lead, first.fleet.as_ref().unwrap().lead.clone());
        let said = |report: &Report| report.findings.iter().map(|f| f.message.text()).collect::<Vec<_>>();
        assert_eq!(said(&again), said(&first));
    }
}

#[test]
fn a_configuration_is_offered_for_what_can_be_written() {
    let text = "from tenacity import *\n@retry(wait=wait_random_exponential(max=8), stop=stop_after_attempt(6))\ndef f(): ...\n";
    let (_, part) = whole(text, "", "configuration");
    assert_eq!((part.target, part.losses.len()), ("tenacity", 0));
    assert!(part.text.contains("wait_random_exponential") && part.targets.len() >= 40, "{}", part.text);
    for id in part.targets.iter().map(|target| target.value.as_str()) {
        assert!(library::all().any(|library| library.id == id && !library.write.is_empty()), "{id} is offered");
    }
    let mut other = request(text, "", "configuration");
    other.take.library = "temporal".into();
    let part = report(&other).take.unwrap();
    assert_eq!(part.target, "temporal");
    // Either it says all, or what it does not say is named.
    assert!(part.text.is_empty() || !part.losses.is_empty() || part.note.text().contains("this very policy"));
}
