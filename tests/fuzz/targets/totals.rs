#![no_main]
#![doc = "See `backoff_fuzz`."]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| backoff_fuzz::totals(data));
