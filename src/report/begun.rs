//! Which calls and retries still happen, from the probabilities of each number of calls.

use crate::distribution::CallsShare;
use crate::format::{count, percent};

/// From here on a probability is certain, as far as sums of floats can tell.
const SURE: f64 = 1.0 - 1e-12;
/// Fewer runs than this are not told apart from none.
const NONE: f64 = 1e-12;
/// The most retries whose shares are listed one by one.
const LISTED: usize = 4;

/// The probability that retry `k` begins.
pub fn begins(calls: &[CallsShare], k: u64) -> f64 {
    calls.iter().filter(|share| share.calls > k).map(|share| share.p).sum()
}

/// "retries 1 to 4 always start, retry 5 starts in 98.8 % of runs".
pub fn retries(calls: &[CallsShare], retries: u64, starts: &str, start: &str) -> String {
    let most = calls.last().map_or(0, |share| share.calls.saturating_sub(1)).min(retries);
    let always = (1..=most).take_while(|&k| begins(calls, k) >= SURE).count() as u64;
    let some: Vec<(u64, f64)> =
        (always + 1..=most).map(|k| (k, begins(calls, k))).take_while(|(_, p)| *p > NONE).collect();
    let last = always + some.len() as u64;
    let mut said = Vec::new();
    match always {
        0 => {}
        n if n == retries => return format!("every retry {starts}"),
        1 => said.push(format!("retry 1 always {starts}")),
        n => said.push(format!("{} always {start}", from_to(1, n))),
    }
    let share = |(k, p): &(u64, f64), verb: &str| format!("retry {} {verb}in _{}_ of runs", count(*k), percent(*p));
    match some.as_slice() {
        [first, .., end] if some.len() > LISTED => {
            said.push(share(first, &format!("{starts} ")));
            said.push(format!("each one after it less often, {}", share(end, "")));
        }
        [first, rest @ ..] => {
            said.push(share(first, &format!("{starts} ")));
            said.extend(rest.iter().map(|retry| share(retry, "")));
        }
        [] => {}
    }
    match retries - last {
        0 => {}
        _ if last == 0 => said.push(format!("no retry {starts}")),
        1 => said.push(format!("retry {} never {starts}", count(retries))),
        _ => said.push(format!("{} never {start}", from_to(last + 1, retries))),
    }
    said.join(", ")
}

fn from_to(first: u64, last: u64) -> String {
    let to = if last == first + 1 { "and" } else { "to" };
    format!("retries {} {to} {}", count(first), count(last))
}

/// "19 to 52 calls, most likely 33".
pub fn calls(calls: &[CallsShare]) -> String {
    let likely: Vec<&CallsShare> = calls.iter().filter(|share| share.p > 1e-6).collect();
    let top = likely.iter().max_by(|a, b| a.p.total_cmp(&b.p));
    match (likely.first(), likely.last(), top) {
        (Some(first), Some(last), Some(top)) if first.calls < last.calls => {
            let (first, last, top) = (count(first.calls), count(last.calls), count(top.calls));
            format!("**{first} to {last} calls**, most likely {top}")
        }
        (Some(only), ..) if only.calls == 1 => "**1 call**".into(),
        (Some(only), ..) => format!("**{} calls**", count(only.calls)),
        _ => "a number of calls that is not known".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(shares: &[(u64, f64)]) -> Vec<CallsShare> {
        shares.iter().map(|&(calls, p)| CallsShare { calls, p }).collect()
    }

    #[test]
    fn retries_are_told_apart_by_how_often_they_start() {
        let said = |calls: &[(u64, f64)], n| retries(&shares(calls), n, "starts", "start");
        assert_eq!(said(&[(6, 1.0)], 5), "every retry starts");
        let some = said(&[(5, 0.25), (6, 0.75)], 5);
        assert_eq!(some, "retries 1 to 4 always start, retry 5 starts in _75 %_ of runs");
        let few = said(&[(2, 0.5), (3, 0.25), (4, 0.25)], 5);
        let words = "retry 1 always starts, retry 2 starts in _50 %_ of runs, retry 3 in _25 %_ of runs, retries 4 and 5 \
                     never start";
        assert_eq!(few, words);
        assert_eq!(said(&[(1, 1.0)], 3), "no retry starts");
    }

    #[test]
    fn calls_have_a_range_and_a_likely_value() {
        assert_eq!(calls(&shares(&[(19, 0.2), (20, 0.5), (21, 0.3)])), "**19 to 21 calls**, most likely 20");
        assert_eq!(calls(&shares(&[(1, 1.0)])), "**1 call**");
    }
}
