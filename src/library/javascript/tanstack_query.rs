//! TanStack Query: `retry` and `retryDelay` of queries, mutations and a `QueryClient`'s defaults.

use super::strategy::{self, Inputs};
use super::{Called, NOTHING, calls, has_any, map, methods, place};
use crate::duration::Unit;
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Arg, Item, Value};
use crate::policy::{Backoff, Policy, Wait};

/// TanStack Query 5.
pub static LIBRARY: Library = Library {
    id: "tanstack-query",
    title: "TanStack Query",
    ecosystem: "JavaScript",
    version: "@tanstack/query-core 5.108.4",
    source: "npm package @tanstack/query-core: build/modern/retryer.js, query.js",
    counts: "retries, the first request not included (retry)",
    formula: "min(1000 * 2^(k-1), 30000)",
    words: &[
        "defaultOptions",
        "fetchQuery",
        "prefetchQuery",
        "ensureQueryData",
        "@tanstack/",
        "react-query",
        "QueryClient",
        "useQuery",
        "useMutation",
        "useInfiniteQuery",
        "retryDelay",
    ],
    settings: &[super::shaping("retry"), super::shaping("retryDelay"), Setting::other("retryOnMount")],
    notes: &[
        "A query retries 3 times in a browser and not at all on a server; a mutation does not retry unless told to.",
        "fetchQuery, prefetchQuery and ensureQueryData do not retry unless told to.",
        "The functions see the number of failures before this one, which starts at 0.",
        "Retries pause while the window is hidden or offline, so real waits can be longer.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "import { QueryClient } from \"@tanstack/react-query\";\n\nconst queryClient = new QueryClient({\n  defaultOptions: {\n    queries: {\n      retry: «retries|true»,\n      retryDelay: (attempt) => «*»,\n    },\n  },\n});\n",
        "«delay»",
        "Math.min(«base» * «factor» ** attempt, «cap»)",
        "«base» * «factor» ** attempt",
        "«full»Math.random() * Math.min(«base» * «factor» ** attempt, «cap»)",
        "«full»Math.random() * «base» * «factor» ** attempt",
        "Math.min(«base» + «increment» * attempt, «cap»)",
        "«base» + «increment» * attempt",
        "[«delays»][attempt]",
    ],
    examples: &[
        Example {
            text: "import { QueryClient } from '@tanstack/react-query';\n\nexport const queryClient = new QueryClient({\n  defaultOptions: {\n    queries: {\n      retry: 4,\n      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 3000),\n    },\n  },\n});\n",
            waits: &[(0.5, 0.5), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)],
        },
        Example {
            text: "import { useQuery } from '@tanstack/react-query';\n\nconst orders = useQuery({ queryKey: ['orders'], queryFn: loadOrders, retry: 2 });\n",
            waits: &[(1.0, 1.0), (2.0, 2.0)],
        },
        Example {
            text: "import { useMutation } from '@tanstack/react-query';\n\nconst save = useMutation({ mutationFn: saveOrder, retry: 3, retryDelay: 1500 });\n",
            waits: &[(1.5, 1.5), (1.5, 1.5), (1.5, 1.5)],
        },
    ],
};

const PACKAGES: &[&str] = &[
    "@tanstack/react-query",
    "@tanstack/vue-query",
    "@tanstack/solid-query",
    "@tanstack/svelte-query",
    "@tanstack/angular-query-experimental",
    "@tanstack/query-core",
    "react-query",
];
const QUERIES: &[&str] = &[
    "useQuery",
    "useInfiniteQuery",
    "useSuspenseQuery",
    "useSuspenseInfiniteQuery",
    "createQuery",
    "createInfiniteQuery",
    "injectQuery",
    "queryOptions",
    "infiniteQueryOptions",
];
const MUTATIONS: &[&str] = &["useMutation", "createMutation", "injectMutation", "mutationOptions"];
const FETCHES: &[&str] = &["fetchQuery", "prefetchQuery", "ensureQueryData", "fetchInfiniteQuery"];
const CLIENT: &str = "QueryClient";
const OWN: &[&str] = &["retry", "retryDelay"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    let mut names = vec![CLIENT];
    names.extend(QUERIES);
    names.extend(MUTATIONS);
    for (item, imported) in calls(scan, PACKAGES, &names) {
        let first = options_of(&item.args);
        let written = given(item, first).is_some_and(|given| has_any(given, OWN));
        let query = first.is_some_and(|given| has_any(given, &["queryFn", "mutationFn", "queryKey"]));
        let defaults = ["defaultOptions.queries", "defaultOptions.mutations"];
        let both = defaults.map(|of| first?.get(of).and_then(map).filter(|given| has_any(given, OWN)));
        if let (true, [Some(queries), Some(mutations)]) = (item.is(CLIENT), both) {
            blocks.push(Block::new(queries, Certainty::Certain));
            blocks.push(Block::new(mutations, Certainty::Certain).variant("mutations"));
            continue;
        }
        let client = item.is(CLIENT);
        if imported && (written || !item.is_any(MUTATIONS)) {
            blocks.push(Block::new(item, Certainty::Certain));
        } else if written && (query || client) {
            blocks.push(Block::new(item, Certainty::Likely));
        }
    }
    // What a plugin makes its client of.
    let queries = |item: &Item| has_any(item, OWN) && item.path().ends_with("defaultOptions.queries");
    super::claim_alone(scan, &mut blocks, queries, Certainty::Certain);
    for called in methods(scan, FETCHES) {
        let given = options_of(called.args);
        if given.is_some_and(|given| has_any(given, OWN) && has_any(given, &["queryFn", "queryKey"])) {
            blocks.push(called.block(Certainty::Certain, called.name()));
        }
    }
    blocks
}

/// The map of options: the one that says something about retries, else the first. Older releases have keys before it.
fn options_of(args: &[Arg]) -> Option<&Item> {
    let maps = || args.iter().filter_map(|arg| map(&arg.value));
    maps().find(|given| has_any(given, OWN)).or_else(|| maps().next())
}

/// The options with the retry settings: the map of the call, of a client the defaults of its queries or, where only
/// they are written, of its mutations.
fn given<'d>(item: &Item, first: Option<&'d Item>) -> Option<&'d Item> {
    let first = first?;
    if !item.is(CLIENT) || !has_any(first, &["defaultOptions"]) {
        return Some(first);
    }
    let of = |what: &str| first.get(what).and_then(map);
    let queries = of("defaultOptions.queries").filter(|queries| has_any(queries, OWN));
    queries.or_else(|| of("defaultOptions.mutations").filter(|mutations| has_any(mutations, OWN)))
}

fn read(take: &mut Take) -> Policy {
    let called = Called::of(&take.block);
    let alone = called.item.head.text.is_empty();
    let item = called.item;
    let first = if alone { Some(item) } else { options_of(called.args) };
    let given = given(item, first);
    let mutations = first.and_then(|first| first.get("defaultOptions.mutations")).and_then(map);
    let quiet = item.is_any(MUTATIONS) || FETCHES.contains(&called.name()) || (given.is_some() && given == mutations);
    let usual = if quiet || take.block.variant == "mutations" { 0 } else { 3 };
    if !given.is_some_and(|given| has_any(given, OWN)) {
        let message =
            "Nothing about waits is written here: 3 retries in a browser, after 1 s, 2 s and 4 s; none on a server.";
        take.note("defaults", place(&take.block), message);
    }
    let mut args = take.of(given.unwrap_or(&NOTHING), "");
    args.unknown_retry_names("an option of TanStack Query", "it is ignored");
    let retries = retries(&mut args, usual);
    let delay = args.value("retryDelay").filter(|value| !value.is_null());
    match delay {
        None => {
            take.default("baseMs", "1000 ms");
            take.default("factor", "2");
            take.default("capMs", "30000 ms");
            let curve = Wait::new(Backoff::Exponential { base_ms: 1_000.0, factor: 2.0 });
            Policy::new(curve.cap(30_000.0), retries)
        }
        Some(value) => match value.fun() {
            Some(fun) => {
                take.origin("backoff", value.span);
                strategy::policy(take, "retryDelay", fun, Inputs::positional(|k| vec![k as f64 - 1.0]), retries)
            }
            None if quoted(value) => {
                take.refuse("retryDelay", value, "must be a number of ms or a function, not a text");
                Policy::new(Wait::new(Backoff::Constant { delay_ms: 1_000.0 }), retries)
            }
            None => {
                let delay_ms = take.time("retryDelay", "delayMs", value, Some(Unit::Millisecond)).unwrap_or(1_000.0);
                Policy::new(Wait::new(Backoff::Constant { delay_ms }), retries)
            }
        },
    }
}

/// `retry`: a number, true for no limit, false for none, or a function of the failures so far.
fn retries(args: &mut Args, usual: u64) -> Option<u64> {
    let Some(value) = args.value("retry").filter(|value| !value.is_null()) else {
        args.take.default("retries", usual.to_string());
        return Some(usual);
    };
    if let Some(fun) = value.fun() {
        args.take.origin("retries", value.span);
        return strategy::count(args.take, "retry", value, fun, usual);
    }
    match value.flag().filter(|_| value.number().is_none() && !quoted(value)) {
        Some(always) => {
            args.take.origin("retries", value.span);
            if always { None } else { Some(0) }
        }
        None => number(args, value, usual),
    }
}

fn quoted(value: &Value) -> bool {
    matches!(value.kind, crate::notation::Kind::Text { .. })
}

fn number(args: &mut Args, value: &Value, usual: u64) -> Option<u64> {
    if value.number().is_none() && !value.is_undefined() {
        let what = format!("must be a number, true, false or a function, not {}", value.describe());
        args.take.refuse("retry", value, &what);
        return Some(usual);
    }
    match args.take.number("retry", "retries", value) {
        Some(n) if n < 0.0 => {
            args.take.refuse("retry", value, "is negative: there is no retry");
            Some(0)
        }
        Some(n) if n.is_infinite() => None,
        Some(n) => Some(n.ceil() as u64),
        None => Some(usual),
    }
}
