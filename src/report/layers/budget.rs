//! What a retry budget bounds, in one sentence: where the text names one, or the library has one.

use crate::format::{count, number, percent, significant};
use crate::report::words::Words;

/// The sentence; empty where there is no budget.
pub fn sentence(text: &str, library: &str) -> Words {
    let text = text.to_ascii_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| text.contains(word));
    Words::of(&if names(&["budget_percent", "budgetpercent", "min_retry_concurrency", "minretryconcurrency"]) {
        envoy(&text)
    } else if names(&["retryratio", "percentcanretry", "minretriespersec", "retrybudget", "retry_ratio"]) {
        ratio(&text)
    } else if names(&["retrythrottling", "retry_throttling"]) {
        grpc(&text)
    } else if ["botocore", "aws-sdk", "aws-sdk-js"].contains(&library) && !names(&["legacy"]) {
        "The SDK’s **retry quota** bounds the load however much fails: a client has 500 tokens, a retry costs 14 (5 when \
         throttled, and in releases before 2026), a call that works at once gives 1 back. From full, 35 failing retries go \
         out (100 when throttled); after that one for every 14 such calls, **1.07 times the load** (1.2 times)."
            .into()
    } else {
        String::new()
    })
}

/// Finagle and Linkerd: a share of the requests, and a few a second.
fn ratio(text: &str) -> String {
    let share = value(text, &["retryratio", "percentcanretry", "retry_ratio"]).unwrap_or(0.2);
    let least = value(text, &["minretriespersecond", "minretriespersec"]).unwrap_or(10.0);
    let load = significant(1000.0 * (1.0 + share) + least, 6);
    format!(
        "The **retry budget** bounds the load whatever fails: at most {} more calls and {} a second besides. 1000 requests \
         a second become {} at most.",
        percent(share),
        number(least),
        number(load)
    )
}

/// Envoy: a share of what is under way.
fn envoy(text: &str) -> String {
    let share = value(text, &["budget_percent", "budgetpercent"]).unwrap_or(20.0) / 100.0;
    let least = value(text, &["min_retry_concurrency", "minretryconcurrency"]).unwrap_or(3.0);
    let most = (share * 100.0).max(least);
    format!(
        "The **retry budget** bounds the retries under way: at most {} of the active and pending requests, and {} always. \
         With 100 of them that is {} at a time; a retry beyond it is not made.",
        percent(share),
        number(least),
        number(significant(most, 6))
    )
}

/// gRPC: tokens, of which more than half must be left.
fn grpc(text: &str) -> String {
    let most = value(text, &["maxtokens", "max_tokens"]).unwrap_or(10.0);
    let ratio = value(text, &["tokenratio", "token_ratio"]).unwrap_or(0.1);
    let failures = (most / 2.0).ceil().max(0.0) as u64;
    format!(
        "**Retry throttling** bounds the load to each server: a failure takes 1 of {} tokens, a success gives {} back, and \
         with half of them or fewer nothing is retried. From full that is after {} failures; while it holds, the load is \
         at most **{} times** the requests.",
        number(most),
        number(ratio),
        count(failures),
        number(significant(1.0 + ratio, 6))
    )
}

/// The number that follows one of these names, `20%` as 20.
fn value(text: &str, names: &[&str]) -> Option<f64> {
    names.iter().find_map(|name| {
        let after = &text[text.find(name)? + name.len()..];
        let at = after.find(|c: char| c.is_ascii_digit())?;
        // `budget_percent: { value: 25.0 }` has a name of its own in between.
        if at > 24 {
            return None;
        }
        let digits: String = after[at..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        digits.trim_end_matches('.').parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, library: &str) -> String {
        sentence(text, library).text()
    }

    #[test]
    fn a_budget_that_is_named_says_its_bound() {
        // 1000 x 1.2 + 10.
        let linkerd = "retryBudget:\n  retryRatio: 0.2\n  minRetriesPerSecond: 10\n  ttl: 10s\n";
        assert!(
            said(linkerd, "").contains("20 % more calls and 10 a second besides. 1000 requests a second become 1210")
        );
        // 100 active at 25 %: 25.
        let envoy = "retry_budget:\n  budget_percent: { value: 25.0 }\n  min_retry_concurrency: 3\n";
        assert!(said(envoy, "").contains("With 100 of them that is 25 at a time"));
        // 10 tokens: at 5 it stops.
        let grpc = r#"{"retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}}"#;
        assert!(said(grpc, "").contains("after 5 failures") && said(grpc, "").contains("1.1 times"));
        assert!(said("", "botocore").contains("35 failing retries"));
        assert_eq!(said("retries: 3", "tenacity"), "");
    }
}
