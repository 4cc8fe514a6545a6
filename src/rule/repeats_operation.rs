//! A call that may not be safe to repeat.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ027.
pub(super) static RULE: Rule = Rule {
    code: "BJ027",
    name: "repeats-operation",
    severity: Severity::Note,
    what: "What is repeated may not be safe to do twice.",
    why: "A failed call may have been done: only its answer was lost.",
    help: "Send a key by which the other side can tell a repetition.",
    check,
    fires: &[
        "from tenacity import retry, stop_after_attempt, wait_random_exponential\n\n@retry(wait=wait_random_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))\ndef create_invoice(order):\n    return billing.post(\"/invoices\", json=order)\n",
    ],
    silent: &[
        "from tenacity import retry, stop_after_attempt, wait_random_exponential\n\n@retry(wait=wait_random_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))\ndef invoices():\n    return billing.get(\"/invoices\")\n",
    ],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let operation = facts.beside.operation.as_ref().filter(|_| policy.retries != Some(0))?;
    let does = operation.does;
    let message = format!("The call {does}. If only the answer was lost, a retry {does} again: is it safe to repeat?");
    Some(Hit::at("retries", Some(operation.span), message))
}
