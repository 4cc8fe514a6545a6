#![no_main]
#![doc = "See `backoff_fuzz`."]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| backoff_fuzz::link(data));
fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| {
    if seed % 4 == 0 { fuzzer_mutate(data, size, max) } else { backoff_fuzz::mutate::link(data, size, max, seed) }
});
