//! Istio: the retries of a VirtualService.

use crate::library::{Block, Certainty, Example, GO, Library, Scan, Setting, Take};
use crate::notation::{Item, Value};
use crate::policy::{Backoff, Clock, Deadline, Jitter, Overrun, Policy, Rounded, RoundingMode, Wait};

/// networking.istio.io v1.
pub static LIBRARY: Library = Library {
    id: "istio",
    title: "Istio",
    ecosystem: "mesh",
    version: "networking.istio.io v1, 2026",
    source: "the API's HTTPRetry; Envoy's backoff_strategy.cc, which makes the waits",
    counts: "retries (attempts); 2 unless written",
    formula: "U[0, min(10 * base, base * 2^(k-1))), base 25 ms unless backoff is written, whole ms",
    words: &[
        "VirtualService",
        "networking.istio.io",
        "perTryTimeout",
        "retryOn",
        "retries",
        "http",
        "defaultHttpRetryPolicy",
    ],
    settings: &[
        Setting::count("attempts", "retries", "2"),
        Setting::duration("perTryTimeout", "attemptTimeoutMs", "").units(GO),
        Setting::other("retryOn"),
        Setting::other("retryRemoteLocalities"),
        Setting::other("retryIgnorePreviousHosts"),
        Setting::duration("backoff", "baseMs", "25ms").units(GO),
        Setting::duration("timeout", "deadline", "").of("route").units(GO),
    ],
    notes: &[
        "attempts counts retries: 3 attempts are up to 4 requests.",
        "A route without a retries block still retries twice, the mesh's default; attempts: 0 switches that off.",
        "The waits are Envoy's: at most 25, 50, 100, 200, then 250 ms.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[
        "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata:\n  name: service\nspec:\n  hosts: [service]\n  http:\n  - route:\n    - destination: { host: service }‹\n    timeout: «refuse:unit»›\n    retries:\n      attempts: «retries»‹\n      perTryTimeout: «timeout:unit»›\n      backoff: «base:unit»«factor:-»\n",
    ],
    examples: &[
        Example {
            text: "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata:\n  name: ratings\nspec:\n  hosts: [ratings]\n  http:\n  - route:\n    - destination: { host: ratings }\n    retries:\n      attempts: 2\n      perTryTimeout: 1s\n      backoff: 101ms\n",
            waits: &[(0.0, 0.1), (0.0, 0.201)],
        },
        Example {
            text: "http:\n- route: [{ destination: { host: cart } }]\n  retries: { attempts: 1, retryOn: \"5xx\" }\n",
            waits: &[(0.0, 0.024)],
        },
    ],
};

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let named = scan.says("networking.istio.io") || scan.says("VirtualService");
    let mut blocks = Vec::new();
    // The mesh's own default, and the value of a JSON patch.
    for holder in scan.items.iter() {
        let mesh = holder.get("defaultHttpRetryPolicy").and_then(Value::item);
        let path = holder.get("path").and_then(Value::text).is_some_and(|path| path.ends_with("/retries"));
        let patch = holder.get("value").and_then(Value::item).filter(|v| path && v.get("attempts").is_some());
        blocks.extend(mesh.or(patch).map(|item| Block::new(item, Certainty::Certain)));
    }
    for route in scan.items.iter().copied() {
        let routed = route.get("route").is_some_and(|v| v.list().is_some() || v.item().is_some());
        match route.get("retries").and_then(Value::item) {
            Some(retries) if named || routed || retries.get("perTryTimeout").is_some() => {
                let sure = named || retries.get("perTryTimeout").is_some() || retries.get("retryOn").is_some();
                let certainty =
                    if sure || retries.get("attempts").is_some() { Certainty::Certain } else { Certainty::Likely };
                blocks.push(Block::new(retries, certainty).with(route));
            }
            None if routed && in_http(route) => {
                let certainty = if named { Certainty::Certain } else { Certainty::Possible };
                blocks.push(Block::new(route, certainty).variant("default").with(route));
            }
            _ => {}
        }
    }
    blocks
}

/// Whether a route is one of a VirtualService's `http` list, with destinations.
fn in_http(route: &Item) -> bool {
    use crate::notation::Crumb;
    let listed = route.place.iter().rev().any(|c| matches!(c, Crumb::Key(key) if key == "http"));
    let mut destined = false;
    if let Some(value) = route.get("route") {
        value.walk(&mut |item| destined |= item.get("destination").is_some());
    }
    listed && destined
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let (retries, base_ms, timeout_ms) = if take.block.variant == "default" {
        let message = "No retries block: the mesh's default of 2 retries applies.";
        take.note("defaults", item.span, message).help = "Write `retries: { attempts: 0 }` to switch it off.".into();
        take.default("retries", "2");
        take.default("baseMs", "25 ms");
        (2, 25.0, None)
    } else {
        let mut args = take.main();
        let retries = args.count("attempts").unwrap_or(2);
        let base_ms = args.time("backoff").filter(|ms| *ms > 0.0).unwrap_or(25.0);
        let timeout_ms = args.time("perTryTimeout").filter(|ms| *ms > 0.0);
        if let Some(value) = args.value("perTryTimeout").filter(|_| timeout_ms.is_some_and(|ms| ms < 1.0)) {
            args.take.refuse("perTryTimeout", value, "must be at least 1ms");
        }
        if let Some(value) = args.value("attempts").filter(|_| retries > 0) {
            let message = format!("attempts counts retries: up to {} requests.", retries.saturating_add(1));
            args.take.note("counts-retries", value.span, message);
        }
        args.unknown_names("a field of retries", "the API server refuses or drops it");
        (retries, base_ms, timeout_ms)
    };
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(10.0 * base_ms).jitter(Jitter::Full);
    let mut policy = Policy::new(wait.rounding(RoundingMode::Floor, 1.0, Rounded::Wait), retries);
    policy.attempt_timeout_ms = timeout_ms;
    if let Some(route) = take.block.others.first().copied() {
        let limit_ms = take.of(route, "route").time("timeout").filter(|ms| *ms > 0.0);
        policy.deadline =
            limit_ms.map(|limit_ms| Deadline { limit_ms, overrun: Overrun::Refuse, clock: Clock::Elapsed });
        timeout_over(take, route, &policy);
    }
    policy
}

/// Every try timing out takes all of the route's time: say so.
fn timeout_over(take: &mut Take, route: &Item, policy: &Policy) {
    let (Some(try_ms), Some(deadline), Some(calls)) = (policy.attempt_timeout_ms, policy.deadline, policy.calls())
    else {
        return;
    };
    if try_ms * calls as f64 > deadline.limit_ms
        && let Some(value) = route.get("timeout")
    {
        let fit = (deadline.limit_ms / try_ms).floor();
        let message =
            format!("The route's timeout ends the request before {calls} tries can each time out: {fit} fit.");
        take.warning("route-timeout", value.span, message);
    }
}
