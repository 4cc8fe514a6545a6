//! A cap that nobody wrote.

use super::time;
use super::{Facts, Hit, Rule};
use crate::finding::Severity;
use crate::policy::Policy;

/// BJ020.
pub(super) static RULE: Rule = Rule {
    code: "BJ020",
    name: "silent-cap",
    severity: Severity::Note,
    what: "A default that nobody wrote cuts the waits.",
    why: "Whoever reads base and factor expects waits that go on growing.",
    help: "Write the cap, so that the next reader sees it.",
    check,
    fires: &["import { S3Client } from '@aws-sdk/client-s3';\nconst s3 = new S3Client({ maxAttempts: 12 });\n"],
    silent: &["base=1s&factor=2&cap=30s&retries=7&jitter=full"],
};

fn check(policy: &Policy, facts: &Facts) -> Option<Hit> {
    let (default, cap) = (facts.beside.default_of("capMs")?, policy.wait.cap_ms?);
    let cut = facts.waits.iter().find(|w| w.delay_ms.map_or(w.max_ms >= Some(cap), |delay| delay > cap))?;
    let message =
        format!("From retry {} on the waits are cut to {}, which nobody wrote: {default}.", cut.retry, time(cap));
    Some(Hit::new("baseMs", message))
}
