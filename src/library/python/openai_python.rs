//! OpenAI Python SDK: a count of retries; the waits are fixed in the client.

use super::generated_client;
use crate::library::{Block, Example, Library, Scan, Take};
use crate::policy::Policy;
use crate::retry_after::RetryAfter;

/// OpenAI's client for Python.
pub static LIBRARY: Library = Library {
    id: "openai-python",
    title: "OpenAI SDK",
    ecosystem: "Python",
    version: "3.57.0",
    source: "openai/_base_client.py, openai/_constants.py",
    counts: "retries (max_retries)",
    formula: generated_client::FORMULA,
    words: &[
        "openai",
        "OpenAI",
        "AsyncOpenAI",
        "AzureOpenAI",
        "AsyncAzureOpenAI",
        "with_options",
        "ChatOpenAI",
        "AzureChatOpenAI",
        "OpenAIEmbeddings",
    ],
    settings: &generated_client::SETTINGS,
    notes: generated_client::NOTES,
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: Some((RetryAfter::ReplacesOrStops { limit_ms: 120_000.0 }, "openai 3.57.0, _base_client.py")),
    find,
    read,
    write: &[
        "from openai import OpenAI\n\nclient = OpenAI(max_retries=«retries», timeout=«timeout:s|None»)«factor:-»\n",
    ],
    examples: &[
        Example {
            text: "from openai import OpenAI\n\nclient = OpenAI(max_retries=4, timeout=30)\nanswer = client.responses.create(model=MODEL, input=question)\n",
            waits: &[(0.375, 0.5), (0.75, 1.0), (1.5, 2.0), (3.0, 4.0)],
        },
        Example {
            text: "from openai import AsyncOpenAI\n\nclient = AsyncOpenAI(api_key=read_key()).with_options(max_retries=1)\n",
            waits: &[(0.375, 0.5)],
        },
    ],
};

const CLIENTS: &[&str] =
    &["OpenAI", "AsyncOpenAI", "AzureOpenAI", "AsyncAzureOpenAI", "ChatOpenAI", "AzureChatOpenAI", "OpenAIEmbeddings"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    generated_client::find(scan, "openai", CLIENTS)
}

fn read(take: &mut Take) -> Policy {
    generated_client::read(take, "OpenAI")
}
