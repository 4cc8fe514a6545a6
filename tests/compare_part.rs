//! The part "Compare" of the page: the same policy beside another paste, other rules, or one setting changed.

use backoff::report::{ComparePart, CompareRequest, Report, Request, report};

const FULL: &str =
    "@retry(wait=wait_random_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))\ndef f(): ...\n";
const NONE: &str = "@retry(wait=wait_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))\ndef f(): ...\n";

fn shown(text: &str, compare: CompareRequest) -> Report {
    report(&Request { text: text.into(), compare, patient: true, ..Request::default() })
}

fn part(text: &str, compare: CompareRequest) -> ComparePart {
    shown(text, CompareRequest { open: true, ..compare }).compare.unwrap()
}

fn rows(part: &ComparePart) -> Vec<[String; 4]> {
    let rows = part.working.iter().flat_map(|working| &working.rows);
    rows.map(|r| [r.what.clone(), r.first.text.clone(), r.second.text.clone(), r.change.clone()]).collect()
}

#[test]
fn a_second_paste_is_compared() {
    let part = part(FULL, CompareRequest { text: NONE.into(), ..CompareRequest::default() });
    assert_eq!(part.lead.text(), "The second makes as many calls, 6, and waits as long at worst.");
    assert!(part.second.text().starts_with("Read as Tenacity 9"));
    let rows = rows(&part);
    // Half of 23 s by symmetry; without jitter always 23 s, and all 400 come within the same 50 ms.
    assert_eq!(rows[0], ["Calls", "6", "6", "same"]);
    assert_eq!(rows[1], ["Worst-case total wait", "23 s", "23 s", "same"]);
    assert_eq!(rows[2], ["Total wait, p50", "11.5 s", "23 s", "+11.5 s"]);
    assert!(rows[4][0].contains("400 callers") && rows[4][2] == "400" && rows[4][3].starts_with('+'), "{rows:?}");
    let pairs = part.working.unwrap().pairs;
    let second = &pairs.rows[3];
    assert_eq!(second.first.as_ref().unwrap().text, "0 s to 8 s");
    assert_eq!(second.second.as_ref().unwrap().text, "8 s");
    assert_eq!((pairs.rows.len(), pairs.rest.as_str()), (5, ""));
}

#[test]
fn one_setting_changed_is_compared_and_asks_for_its_unit() {
    let changed = |key: &str, value: &str| {
        part(FULL, CompareRequest { key: key.into(), value: value.into(), ..CompareRequest::default() })
    };
    // 1 + 2 + 4 + 4 + 4 = 15.
    let cap = changed("cap", "4 s");
    assert_eq!(cap.lead.text(), "The second makes as many calls, 6, and waits 8 s less at worst.");
    assert_eq!(rows(&cap)[1], ["Worst-case total wait", "23 s", "15 s", "−8 s"]);
    assert_eq!(changed("cap", "4").problem.text(), "4 of what? 4 ms or 4 s.");
    // 23 + 8.
    let more = changed("retries", "6");
    assert_eq!(more.lead.text(), "The second makes 1 call more and waits 8 s longer at worst.");
    let pairs = more.working.unwrap().pairs;
    assert!(pairs.rows[5].first.is_none() && pairs.rows[5].second.is_some());
}

#[test]
fn the_same_text_is_compared_by_other_rules() {
    let text = "const retry = { retry: 3, retryDelay: 3000 };\nimport * as rax from 'retry-axios';\naxios.get('/a', { raxConfig: retry });\n";
    let closed = shown(text, CompareRequest::default()).compare.unwrap();
    assert!(closed.working.is_none());
    let Some(rule) = closed.rules.first() else { panic!("no other rules: {closed:?}") };
    let part = part(text, CompareRequest { rules: rule.value.clone(), ..CompareRequest::default() });
    assert!(part.second.text().starts_with("The same text, read as retry-axios"), "{}", part.second.text());
    assert!(rows(&part)[1][3] != "same", "{:?}", rows(&part));
}

#[test]
fn the_second_policy_is_in_the_link_and_comes_back_from_it() {
    let compare = CompareRequest { text: NONE.into(), ..CompareRequest::default() };
    let link = shown(FULL, compare).link;
    let with = "&with=base=1s%26factor=2%26cap=8s%26retries=5%26jitter=none";
    assert!(link.ends_with(with), "{link}");
    let compare = CompareRequest { link: with[6..].replace("%26", "&"), open: true, ..CompareRequest::default() };
    let again = report(&Request { link: link.clone(), compare, ..Request::default() });
    assert_eq!(again.link, link);
    assert!(again.findings.iter().all(|f| f.code != "link-unknown"));
    assert_eq!(rows(&again.compare.unwrap())[0], ["Calls", "6", "6", "same"]);
}

#[test]
fn nothing_to_compare_with_is_said() {
    let none = part(FULL, CompareRequest::default());
    assert!(none.lead.text().starts_with("Against a second configuration") && none.working.is_none());
    let nothing = part(FULL, CompareRequest { text: "hello".into(), ..CompareRequest::default() });
    assert_eq!(nothing.second.text(), "Nothing about retries was found in the second text.");
    let broken = part(FULL, CompareRequest { link: "base=2s factor=2 retries=4".into(), ..CompareRequest::default() });
    assert_eq!(broken.second.text(), "The second policy of the link cannot be read.");
    assert!(broken.working.is_none());
}
