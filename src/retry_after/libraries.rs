//! What libraries do with a hint, where their source was read on this point.

use super::RetryAfter;

/// How a library, by its id, treats a hint with its defaults, and where that stands; `None`: not known.
pub fn of_library(id: &str) -> Option<(RetryAfter, &'static str)> {
    KNOWN.iter().find(|(known, ..)| *known == id).map(|(_, treatment, source)| (*treatment, *source))
}

const REPLACES: RetryAfter = RetryAfter::Replaces { limit_ms: None };

/// By `retry_after_max`, six hours.
const SIX_HOURS: RetryAfter = RetryAfter::Replaces { limit_ms: Some(21_600_000.0) };

/// By the header `x-amz-retry-after`.
const FIVE_SECONDS_MORE: RetryAfter = RetryAfter::Raises { by_ms: 5_000.0 };

const KNOWN: [(&str, RetryAfter, &str); 13] = [
    ("anthropic-python", REPLACES, "anthropic 2.14.0, _base_client.py"),
    ("aws-sdk", FIVE_SECONDS_MORE, "botocore 1.44.8, retries/standard.py; by x-amz-retry-after"),
    ("aws-sdk-js", FIVE_SECONDS_MORE, "@smithy/util-retry 4.6.2; by x-amz-retry-after"),
    ("axios-retry", RetryAfter::Floors, "axios-retry 4.5.0, dist/esm/index.js"),
    ("botocore", FIVE_SECONDS_MORE, "botocore 1.44.8, retries/standard.py; by x-amz-retry-after"),
    ("curl", RetryAfter::Floors, "curl, src/tool_operate.c at 5c61e16869"),
    ("go-retryablehttp", REPLACES, "go-retryablehttp, client.go at fd00458; for 429 and 503"),
    ("ky", REPLACES, "ky 1.14.3, core/Ky.js; for 413, 429 and 503"),
    ("ms-http-resilience", REPLACES, "dotnet/extensions, HttpRetryStrategyOptions.cs at 5862342c9a"),
    ("openai-python", RetryAfter::ReplacesOrStops { limit_ms: 120_000.0 }, "openai 3.57.0, _base_client.py"),
    ("requests", SIX_HOURS, "urllib3 2.8.0, util/retry.py; for 413, 429 and 503"),
    ("symfony-http-client", REPLACES, "symfony/http-client, RetryableHttpClient.php at 274e2f6"),
    ("urllib3", SIX_HOURS, "urllib3 2.8.0, util/retry.py; for 413, 429 and 503"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_one_is_a_library_that_is_read() {
        for (id, ..) in super::KNOWN {
            assert!(crate::library::by_id(id).is_some(), "{id}");
        }
    }
}
