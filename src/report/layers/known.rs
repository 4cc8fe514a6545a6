//! Layers that are easily forgotten. What each does is what its library reads where nothing is written, so that the
//! numbers and their source are the library's.

use super::list::List;
use crate::format::counted;
use crate::library::{Choice, read, read_link};
use crate::policy::Policy;
use crate::report::reader::Offer;
use std::sync::OnceLock;

/// A layer by its default.
struct Known {
    /// What people call it.
    name: &'static str,
    /// A text that writes nothing about retries, or its policy in the neutral notation with the source.
    default: Default,
    /// Whether it stands around the caller's own code and not below it.
    outer: bool,
}

enum Default {
    Text(&'static str),
    Link(&'static str, &'static str),
}

const KNOWN: [Known; 14] = [
    inner("AWS SDK client", "import boto3\ns3 = boto3.client(\"s3\")\n"),
    inner("Azure SDK client", "var client = new BlobServiceClient(uri, credential, new BlobClientOptions());\n"),
    inner("OpenAI or Anthropic client", "import openai\nclient = openai.OpenAI()\n"),
    inner("HTTP client: got", "import got from 'got';\nconst client = got;\n"),
    inner("HTTP client: ky", "import ky from 'ky';\nconst client = ky;\n"),
    Known {
        name: "HTTP client: Apache HttpClient 5",
        default: Default::Link("backoff=constant&base=1s&retries=1", "its DefaultHttpRequestRetryStrategy"),
        outer: false,
    },
    inner(
        "Service mesh: Istio, a route without retries",
        "apiVersion: networking.istio.io/v1\nkind: VirtualService\nspec:\n  hosts: [a]\n  http:\n  - route:\n    - destination: { host: a }\n",
    ),
    outer("Queue: Spring Kafka listener", "factory.setCommonErrorHandler(new DefaultErrorHandler());\n"),
    Known {
        name: "Queue: SQS without a dead-letter queue",
        default: Default::Link(
            "backoff=constant&base=30s&retries=unlimited&deadline=96h&overrun=allow",
            "its visibility timeout and its retention, unless told",
        ),
        outer: true,
    },
    outer("Job: Sidekiq", "class SyncJob\n  include Sidekiq::Job\n  def perform(id) = Thing.find(id).sync!\nend\n"),
    outer("Job: Hangfire", "GlobalJobFilters.Filters.Add(new AutomaticRetryAttribute());\n"),
    outer(
        "Job: Kubernetes",
        "apiVersion: batch/v1\nkind: Job\nmetadata: { name: a }\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n",
    ),
    outer(
        "AWS Lambda, invoked asynchronously",
        "Type: AWS::Lambda::EventInvokeConfig\nProperties:\n  FunctionName: !Ref Fn\n  Qualifier: $LATEST\n",
    ),
    outer(
        "Browser: TanStack Query",
        "import { QueryClient } from '@tanstack/react-query';\nconst queryClient = new QueryClient();\n",
    ),
];

const fn inner(name: &'static str, text: &'static str) -> Known {
    Known { name, default: Default::Text(text), outer: false }
}

const fn outer(name: &'static str, text: &'static str) -> Known {
    Known { name, default: Default::Text(text), outer: true }
}

/// What each of them does, and whose rules say so.
fn defaults() -> &'static [(Policy, String)] {
    static DEFAULTS: OnceLock<Vec<(Policy, String)>> = OnceLock::new();
    let of = |known: &Known| match known.default {
        Default::Text(text) => {
            let reading = read(text, &Choice::default()).into_iter().next();
            reading.map_or((Policy::single_call(), String::new()), |r| (r.policy, r.library.version.to_string()))
        }
        Default::Link(link, source) => (read_link(link).policy, source.to_string()),
    };
    DEFAULTS.get_or_init(|| KNOWN.iter().map(of).collect())
}

/// The list with each of them.
pub fn choices(list: &List) -> impl Iterator<Item = Offer> {
    KNOWN.iter().zip(defaults()).map(|(known, (policy, source))| {
        let retries = policy.retries.map_or("retries without end".into(), |n| counted(n, "retry", "retries"));
        let name = known.name.split_once(": ").map_or(known.name, |(_, name)| name);
        Offer {
            text: format!("{}: {retries} by default ({source})", known.name),
            value: list.with(&format!("{name}, {retries} by default"), policy, known.outer),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts that the golden cases have for each, where nothing is written.
    #[test]
    fn defaults_are_those_of_the_libraries() {
        let retries: Vec<Option<u64>> = defaults().iter().map(|(policy, _)| policy.retries).collect();
        let some = |n: &[u64]| n.iter().map(|n| Some(*n)).collect::<Vec<_>>();
        let mut wanted = some(&[2, 3, 2, 2, 2, 1, 2, 9]);
        wanted.push(None);
        wanted.extend(some(&[25, 10, 6, 2, 3]));
        assert_eq!(retries, wanted);
        assert!(defaults().iter().all(|(_, source)| !source.is_empty()));
    }
}
