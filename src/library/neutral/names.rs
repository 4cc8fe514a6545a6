//! The names of the neutral notation.

use crate::duration::Unit;
use crate::library::{Setting, squash};
use std::sync::OnceLock;

/// Words any of which makes a text worth a closer look.
pub(super) const WORDS: &[&str] = &[
    "wait",
    "sleep",
    "delay_ms",
    "base",
    "factor",
    "cap",
    "retries",
    "attempts",
    "calls",
    "tries",
    "delay",
    "delays",
    "jitter",
    "backoff",
    "multiplier",
    "maxDelay",
    "max_delay",
    "baseDelay",
    "base_delay",
    "initialDelay",
    "initial_delay",
    "maxRetries",
    "max_retries",
    "maxAttempts",
    "max_attempts",
    "baseMs",
    "delayMs",
    "backoffFactor",
    "backoff_factor",
    "interval",
    "initialInterval",
    "initial_interval",
    "maxInterval",
    "max_interval",
    "retryDelay",
    "retry_delay",
    "minDelay",
    "min_delay",
    "maxDelayMs",
    "baseDelayMs",
    "initialDelayMs",
    "minDelay",
    "num_retries",
    "numRetries",
    "retry_count",
    "retryCount",
    "MAX_RETRIES",
    "MAX_ATTEMPTS",
    "RETRY_DELAY",
    "RETRY_DELAY_MS",
    "BACKOFF_FACTOR",
    "RETRIES",
    "MaxRetries",
    "MaxAttempts",
    "BaseDelay",
    "InitialDelay",
    "MaxDelay",
    "InitialInterval",
    "InitialBackoff",
    "MaxBackoff",
    "RETRY_MAX_RETRIES",
    "RETRY_MAX_ATTEMPTS",
    "RETRY_ATTEMPTS",
    "RETRY_BASE_DELAY_MS",
    "RETRY_MAX_DELAY_MS",
    "retry_delays",
    "retryDelays",
];

/// Names that only this notation has; the others are the usual synonyms of code that people write themselves.
pub(super) const SETTINGS: &[Setting] = &[
    Setting::other("v"),
    Setting::other("backoff|kind|strategy|type"),
    Setting::time(
        "base|baseMs|delay|delayMs|initial|initialMs|initialDelay|initialDelayMs|initialInterval|initialBackoff\
         |baseDelay|baseDelayMs|minDelay|minDelayMs|retryDelay|retryDelayMs|interval|intervalMs|start|startDelay\
         |backoffMs|min|minimum|minBackoff|wait|baseSeconds|delaySeconds|initialDelaySeconds|baseDelaySeconds\
         |retryDelaySeconds|intervalSeconds|initialSeconds|initialIntervalSeconds|delaySecs|initialDelaySecs\
         |intervalSecs|retryDelaySecs",
        "baseMs",
        Unit::Millisecond,
        "",
    ),
    Setting::number(
        "factor|multiplier|backoffFactor|exponent|rate|backoffMultiplier|backoffRate|growth",
        "factor",
        "2",
    ),
    Setting::time("increment|incrementMs|step", "incrementMs", Unit::Millisecond, ""),
    Setting::number("power", "power", "2"),
    Setting::other("delays|delaysMs|retryDelays"),
    Setting::other("after"),
    Setting::time("floor|floorMs", "floorMs", Unit::Millisecond, ""),
    Setting::time(
        "cap|capMs|max|maxMs|maxDelay|maxDelayMs|maxInterval|maxIntervalMs|maxBackoff|maxBackoffMs|maximum|maxWait\
         |maxTimeout|capSeconds|maxSeconds|maxDelaySeconds|maxIntervalSeconds|maxBackoffSeconds|maxDelaySecs\
         |maxIntervalSecs",
        "capMs",
        Unit::Millisecond,
        "",
    ),
    Setting::other("capOrder"),
    Setting::other("jitter|randomize|jitterType"),
    Setting::other("retries|maxRetries|numRetries|retryCount|maxTimes"),
    Setting::other("calls|maxAttempts|tries|maxTries|totalAttempts|numAttempts"),
    Setting::other("attempts|limit|count"),
    Setting::time("firstWait|firstWaitMs", "firstWaitMs", Unit::Millisecond, ""),
    Setting::time(
        "callTimeout|attemptTimeout|attemptTimeoutMs|timeout|timeoutMs|timeoutSeconds",
        "attemptTimeoutMs",
        Unit::Millisecond,
        "",
    ),
    Setting::time("deadline|deadlineMs|limitMs|maxElapsedTime|totalTimeout", "deadline", Unit::Millisecond, ""),
    Setting::other("overrun"),
    Setting::other("clock"),
    Setting::other("rest"),
];

/// A name without what leads it in an environment or a configuration of many parts: `RETRY_MAX_ATTEMPTS` is `MAX_ATTEMPTS`
/// where the whole is no name of the notation.
pub(in crate::library) fn own(name: &str) -> &str {
    if !name.contains('_') {
        return name;
    }
    let lower = name.to_ascii_lowercase();
    let rest = ["retry_", "backoff_"].iter().find_map(|part| Some(&name[lower.find(part)? + part.len()..]));
    rest.filter(|rest| !is_name(name) && is_name(rest)).unwrap_or(name)
}

/// Whether it is a name of the notation as it stands. Every name of a text is asked about.
pub(super) fn is_name(name: &str) -> bool {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names: Vec<String> = SETTINGS.iter().flat_map(Setting::names).map(squash).collect();
        crate::sort::by(&mut names, |a, b| a.cmp(b));
        names
    });
    names.binary_search(&squash(name)).is_ok()
}
