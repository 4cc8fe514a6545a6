//! Which parts of a text are one block: what belongs to it by name, and what stands on its own.

use backoff::library::{Choice, read};

/// The libraries of the blocks that are read, in order.
fn libraries(text: &str) -> Vec<&'static str> {
    read(text, &Choice::default()).iter().map(|reading| reading.library.id).collect()
}

#[test]
fn options_bound_above_belong_to_the_call() {
    let bound = "import pRetry from 'p-retry';\nconst options = { retries: 2, factor: 3, minTimeout: 50 };\npRetry(run, options);\n";
    assert_eq!(libraries(bound), ["p-retry"]);
    let spread = bound.replace("run, options", "run, { ...options, maxTimeout: 100 }");
    assert_eq!(libraries(&spread), ["p-retry"]);
}

#[test]
fn a_client_called_inside_a_retried_function_is_a_block_of_its_own() {
    let text = "import ky from 'ky';\nimport pRetry from 'p-retry';\nconst api = ky.create({ retry: { limit: 1 } });\nconst run = () => pRetry(() => api.get('x'), { retries: 2 });\n";
    assert_eq!(libraries(text), ["ky", "p-retry"]);
}

#[test]
fn later_statements_on_a_name_do_not_swallow_what_stands_between() {
    let text = "import { Queue } from 'bullmq';\nimport { io } from 'socket.io-client';\nconst queue = new Queue('a', { defaultJobOptions: { attempts: 2, backoff: 100 } });\nconst socket = io({ reconnectionAttempts: 3 });\nqueue.add('b', {});\n";
    assert_eq!(libraries(text), ["bullmq", "socket.io-client"]);
}
