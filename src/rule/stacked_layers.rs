//! Retries around retries.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::format::{count, counted};
use crate::policy::Policy;

/// BJ025.
pub(super) static RULE: Rule = Rule {
    code: "BJ025",
    name: "stacked-layers",
    severity: Severity::Warning,
    what: "Two layers of the text retry, one of them by a default that nobody wrote.",
    why: "Layers multiply: each one repeats everything below it, first call included.",
    help: "Leave the retrying to one of them and switch it off in the other.",
    check,
    fires: &[
        "import boto3\nfrom tenacity import retry, stop_after_attempt, wait_random_exponential\n\ns3 = boto3.client(\"s3\")\n\n@retry(wait=wait_random_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))\ndef read(key):\n    return s3.get_object(Bucket=\"b\", Key=key)\n",
    ],
    silent: &[
        "from tenacity import retry, stop_after_attempt, wait_random_exponential\n\n@retry(wait=wait_random_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))\ndef read(key):\n    return find(key)\n",
    ],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let layer = facts.beside.layer.as_ref().filter(|_| policy.calls() != Some(1))?;
    let product = policy.calls().zip(layer.calls).and_then(|(own, other)| Some((own, other, own.checked_mul(other)?)));
    let name = &layer.name;
    let message = match product {
        Some((own, other, all)) => format!(
            "{name} retries too, {}{}. If one is around the other, a request can become {} × {} = {}.",
            counted(other, "call", "calls"),
            if layer.by_default { " by default" } else { "" },
            count(own),
            count(other),
            counted(all, "call", "calls")
        ),
        None => format!("{name} retries by itself too, and one of the two never stops."),
    };
    Some(Hit::at("retries", Some(layer.span), message))
}
