//! Times that calls and waits together have to fit into, where people meet them. Each can be another one in their place,
//! so each is only a start, with where it is written and when that was.

/// A limit with its name and source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Its key in the link.
    pub key: &'static str,
    /// What it is the limit of.
    pub name: &'static str,
    /// The most it allows, ms; absent: the reader's to say.
    pub at_most_ms: Option<f64>,
    /// Where it is written.
    pub source: &'static str,
    /// When that was, as the source says it.
    pub dated: &'static str,
}

/// The limits, the shortest first, and a free one.
pub const LIMITS: [Limit; 7] = [
    Limit {
        key: "limit-gateway",
        name: "API gateway integration",
        at_most_ms: Some(29_000.0),
        source: "Amazon API Gateway, quotas; Regional and private REST APIs can ask for more",
        dated: "June 2024",
    },
    Limit {
        key: "limit-proxy",
        name: "Proxy or load balancer, idle",
        at_most_ms: Some(60_000.0),
        source: "nginx, proxy_read_timeout; AWS load balancers, idle timeout; both are defaults",
        dated: "not dated",
    },
    Limit {
        key: "limit-httpclient",
        name: "HttpClient in .NET, default",
        at_most_ms: Some(100_000.0),
        source: ".NET API reference, HttpClient.Timeout",
        dated: "not dated",
    },
    Limit {
        key: "limit-azure",
        name: "Azure front end",
        at_most_ms: Some(230_000.0),
        source: "Azure Functions, timeout duration of HTTP triggers",
        dated: "27 June 2024",
    },
    Limit {
        key: "limit-lambda",
        name: "AWS Lambda, longest run",
        at_most_ms: Some(900_000.0),
        source: "AWS Lambda, function timeout",
        dated: "not dated",
    },
    Limit {
        key: "limit-sqs",
        name: "SQS message, longest visibility timeout",
        at_most_ms: Some(43_200_000.0),
        source: "Amazon SQS, VisibilityTimeout; a queue has 30 s unless told",
        dated: "not dated",
    },
    Limit { key: "limit-own", name: "Your own limit", at_most_ms: None, source: "yours", dated: "" },
];
