//! One draw for all waits.

use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ026.
pub(super) static RULE: Rule = Rule {
    code: "BJ026",
    name: "drawn-once",
    severity: Severity::Warning,
    what: "A random number is drawn once and used for every wait.",
    why: "It is drawn when the configuration is made, so every retry of this caller waits alike, and callers made from one configuration wait alike too.",
    help: "Draw in a function that is called for each retry, or use the library’s own jitter.",
    check,
    fires: &[
        "import random\nfrom tenacity import retry, stop_after_attempt, wait_fixed\n\n@retry(wait=wait_fixed(random.uniform(1, 5)), stop=stop_after_attempt(4))\ndef read(): ...\n",
    ],
    silent: &[
        "from tenacity import retry, stop_after_attempt, wait_random\n\n@retry(wait=wait_random(1, 5), stop=stop_after_attempt(4))\ndef read(): ...\n",
    ],
};

fn check(_: &Policy, facts: &Facts) -> Option<Hit> {
    let span = facts.beside.drawn_once?;
    let message = "The random number is drawn once, when this line runs: every wait is that one, without jitter.";
    Some(Hit::at("baseMs", Some(span), message))
}
