//! Anthropic Python SDK: a count of retries; the waits are fixed in the client.

use super::generated_client;
use crate::library::{Block, Example, Library, Scan, Take};
use crate::policy::Policy;
use crate::retry_after::RetryAfter;

/// Anthropic's client for Python.
pub static LIBRARY: Library = Library {
    id: "anthropic-python",
    title: "Anthropic SDK",
    ecosystem: "Python",
    version: "2.14.0",
    source: "anthropic/_base_client.py, anthropic/_constants.py",
    counts: "retries (max_retries)",
    formula: generated_client::FORMULA,
    words: &[
        "anthropic",
        "Anthropic",
        "AsyncAnthropic",
        "AnthropicBedrock",
        "AsyncAnthropicBedrock",
        "AnthropicVertex",
        "AsyncAnthropicVertex",
        "with_options",
    ],
    settings: &generated_client::SETTINGS,
    notes: generated_client::NOTES,
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((RetryAfter::Replaces { limit_ms: None }, "anthropic 2.14.0, _base_client.py")),
    find,
    read,
    write: &[
        "from anthropic import Anthropic\n\nclient = Anthropic(max_retries=«retries», timeout=«timeout:s|None»)«factor:-»\n",
    ],
    examples: &[
        Example {
            text: "from anthropic import Anthropic\n\nclient = Anthropic(max_retries=3, timeout=45.0)\n",
            waits: &[(0.375, 0.5), (0.75, 1.0), (1.5, 2.0)],
        },
        Example {
            text: "import anthropic\n\nclient = anthropic.AsyncAnthropic()\n",
            waits: &[(0.375, 0.5), (0.75, 1.0)],
        },
    ],
};

const CLIENTS: &[&str] = &[
    "Anthropic",
    "AsyncAnthropic",
    "AnthropicBedrock",
    "AsyncAnthropicBedrock",
    "AnthropicVertex",
    "AsyncAnthropicVertex",
];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    generated_client::find(scan, "anthropic", CLIENTS)
}

fn read(take: &mut Take) -> Policy {
    generated_client::read(take, "Anthropic")
}
