//! The part "Layers" of the page: what one request becomes, for lists from links, texts and choices.

use backoff::report::{LayersPart, LayersRequest, Request, report};

const TENACITY: &str =
    "@retry(wait=wait_random_exponential(multiplier=1, max=8), stop=stop_after_attempt(6))\ndef f(): ...\n";

fn part(text: &str, layers: LayersRequest) -> LayersPart {
    report(&Request { text: text.into(), layers, ..Request::default() }).layers.unwrap()
}

fn open(list: &str) -> LayersRequest {
    LayersRequest { open: true, list: list.into(), ..LayersRequest::default() }
}

#[test]
fn one_layer_says_what_another_would_make_of_it() {
    let part = part(TENACITY, LayersRequest::default());
    let lead = part.lead.text();
    assert_eq!(
        lead,
        "This layer alone makes 6 calls of a request. Any other that retries multiplies them: with one of 2 retries, \
         (1 + 5) × (1 + 2) = 18."
    );
    assert!(part.working.is_none());
}

#[test]
fn layers_multiply_as_one_and_their_retries() {
    // 3 retries in 3 layers; 3 attempts, so 2 retries, in 3 layers; 5 layers of 3 tries.
    let of = |retries: &str, layers: usize| {
        let link = format!("base=1s&retries={retries}");
        let list = vec![format!("A:retries={retries}"); layers - 1].join(";");
        let request = Request { link, layers: open(&list), ..Request::default() };
        report(&request).layers.unwrap().lead.text()
    };
    assert!(of("3", 3).starts_with("One request can become 64 calls: (1 + 3) × (1 + 3) × (1 + 3) = 64."));
    assert!(of("2", 3).starts_with("One request can become 27 calls:"));
    assert!(of("2", 5).starts_with("One request can become 243 calls:"));
    assert!(of("unlimited", 2).starts_with("One request can become calls without end"));
}

#[test]
fn blocks_of_a_text_may_be_layers_of_one_request() {
    let text = "inner: { base: 1s, maxAttempts: 5 }\nouter: { base: 1s, maxAttempts: 2 }\n";
    let lead = part(text, LayersRequest::default()).lead.text();
    assert_eq!(
        lead,
        "If the 2 blocks of this text are layers of one request, it can become 10 calls: (1 + 4) × (1 + 1) = 10."
    );
}

#[test]
fn the_longest_time_nests() {
    // Outside: 2 calls of what is inside, and 10 s; inside: waits of 1 + 2 + 4 + 8 + 8 = 23 s.
    let working = part(TENACITY, open("Job:backoff=constant&base=10s&retries=1;this")).working.unwrap();
    let cells: Vec<_> =
        working.rows.iter().map(|r| (r.name.as_str(), r.so_far.as_str(), r.worst.text.as_str())).collect();
    assert_eq!(cells, [("Job", "2", "56 s"), ("Tenacity 9, from the paste", "12", "23 s")]);
    assert!(working.elapsed.text().starts_with("Nested, they take up to 56 s"));
}

#[test]
fn layers_are_added_moved_and_taken_away() {
    let working = part(TENACITY, open("")).working.unwrap();
    let mesh = working.choices.iter().find(|choice| choice.text.contains("Istio")).unwrap();
    assert!(mesh.text.contains("2 retries by default"), "{}", mesh.text);
    assert!(mesh.value.starts_with("this;Istio"), "{}", mesh.value);
    let with = part(TENACITY, open(&mesh.value));
    assert!(with.lead.text().contains("18 calls: (1 + 5) × (1 + 2) = 18"), "{}", with.lead.text());
    let rows = with.working.unwrap().rows;
    assert!(rows[1].outward.ends_with(";this") && rows[0].without.is_empty());
    assert_eq!(rows[1].without, "");
    let counted = part(TENACITY, LayersRequest { count: "3".into(), ..open("") }).working.unwrap();
    assert_eq!(counted.adds[0].value, "A layer of its own:retries=3;this");
    let wrong = part(TENACITY, LayersRequest { count: "three".into(), ..open("") }).working.unwrap();
    assert!(wrong.adds.is_empty() && wrong.problem.starts_with("How many retries"));
}

#[test]
fn a_pasted_layer_leaves_no_text_in_the_list() {
    let second = "resilience4j.retry.instances:\n  secretname:\n    maxAttempts: 3\n    waitDuration: 2s\n";
    let working = part(TENACITY, LayersRequest { text: second.into(), ..open("") }).working.unwrap();
    let change = &working.adds[0];
    assert!(change.text.contains("3 calls") && !change.value.contains("secret"), "{change:?}");
    let link = report(&Request { text: TENACITY.into(), layers: open(&change.value), ..Request::default() }).link;
    assert!(link.contains("&layers=Resilience4j%202:") && link.contains("%26retries=2"), "{link}");
}
