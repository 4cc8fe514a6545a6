//! Arrivals to come, given out in order of time.
//!
//! Most of a large fleet comes back much later than the next arrival, so it is not kept in order: it waits in buckets,
//! and only the bucket that is due is. The buckets are cut from the exponent and the first bits of the time, so that
//! they are as fine as the times are dense whatever the horizon, milliseconds or weeks.

use super::buckets::Buckets;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One call to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// When, ms; finite and not negative.
    pub at_ms: f64,
    /// The number of the retry, from 1.
    pub retry: u32,
    /// Whose it is.
    pub caller: u32,
}

/// An arrival as one number that is ordered as arrivals are. Times that are not negative are ordered as their bits are;
/// callers in the same instant by their retry, so that rounds stay rounds, then by their number.
type Key = u128;

impl Arrival {
    fn key(self) -> Key {
        u128::from(self.at_ms.to_bits()) << 64 | u128::from(self.retry) << 32 | u128::from(self.caller)
    }

    fn of(key: Key) -> Arrival {
        Arrival { at_ms: f64::from_bits((key >> 64) as u64), retry: (key >> 32) as u32, caller: key as u32 }
    }
}

/// Times under this share the first bucket, ms.
const FIRST_MS: f64 = 1.0 / 1024.0;

/// Doublings of [`FIRST_MS`] that have buckets of their own: up to some 35 years.
const OCTAVES: usize = 50;

/// How many calls of a bucket should share a place when it is ordered.
const SHARE_A_PLACE: usize = 2;

/// See the module.
pub(super) struct Queue {
    /// The bucket that is due, in order.
    near: Vec<Key>,
    /// How many of them have been given out.
    given: usize,
    /// Where each place of the bucket that is being ordered begins.
    places: Vec<u32>,
    /// Calls that came into the bucket after it was ordered.
    late: BinaryHeap<Reverse<Key>>,
    /// The later ones.
    far: Buckets,
    /// Which bucket is due.
    due: usize,
    /// Bits of a time that do not choose its bucket.
    shift: u32,
}

impl Queue {
    /// For about this many callers at a time.
    pub fn new(callers: usize) -> Self {
        let per_octave = (callers / 4096).clamp(1, 256).next_power_of_two();
        let shift = f64::MANTISSA_DIGITS - 1 - per_octave.ilog2();
        // Chunks that are not full yet take a quarter more.
        let far = Buckets::new(OCTAVES * per_octave, callers + callers / 4);
        Queue { near: Vec::new(), given: 0, places: Vec::new(), late: BinaryHeap::new(), far, due: 0, shift }
    }

    fn bucket(&self, at_ms: f64) -> usize {
        let bucket = (at_ms.to_bits() >> self.shift).saturating_sub(FIRST_MS.to_bits() >> self.shift);
        (bucket as usize).min(self.far.count() - 1)
    }

    /// Adds a call that is not before the last one given out.
    pub fn push(&mut self, arrival: Arrival) {
        let bucket = self.bucket(arrival.at_ms);
        if bucket <= self.due {
            self.late.push(Reverse(arrival.key()));
        } else {
            self.far.push(bucket, arrival.key());
        }
    }

    /// The next call.
    #[inline]
    pub fn pop(&mut self) -> Option<Arrival> {
        while self.given == self.near.len() && self.late.is_empty() {
            self.due += 1;
            if self.due >= self.far.count() {
                return None;
            }
            self.order();
        }
        let near = self.near.get(self.given).copied();
        if let Some(Reverse(late)) = self.late.peek()
            && near.is_none_or(|near| *late < near)
        {
            return self.late.pop().map(|late| Arrival::of(late.0));
        }
        self.given += 1;
        near.map(Arrival::of)
    }

    /// Puts the bucket that is due in order: each call to the place that the next bits of its time choose, then the few
    /// of a place among themselves.
    fn order(&mut self) {
        let calls = self.far.len(self.due);
        // The last bucket holds all times beyond the others, and the next bits do not tell their order.
        let last = self.due + 1 == self.far.count();
        let bits = if last { 0 } else { (calls / SHARE_A_PLACE + 1).ilog2().min(self.shift) };
        let place = |key: Key| ((key >> 64) as u64 >> (self.shift - bits)) as usize & ((1 << bits) - 1);
        self.places.clear();
        self.places.resize((1 << bits) + 1, 0);
        let places = &mut self.places[..];
        self.far.each(self.due, |key| places[place(key) + 1] += 1);
        for n in 1..places.len() {
            places[n] += places[n - 1];
        }
        self.given = 0;
        self.near.clear();
        self.near.resize(calls, 0);
        let near = &mut self.near[..];
        self.far.each(self.due, |key| {
            let to = &mut places[place(key)];
            near[*to as usize] = key;
            *to += 1;
        });
        self.far.clear(self.due);
        // Each place now begins where the one before it was filled to.
        let mut start = 0;
        for &end in &places[..1 << bits] {
            near[start..end as usize].sort_unstable();
            start = end as usize;
        }
    }

    /// Starts again from time 0; to be called when nothing is left.
    pub fn restart(&mut self) {
        self.due = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_out_in_order_whatever_the_scale() {
        for callers in [1, 1000, 1_000_000] {
            let mut queue = Queue::new(callers);
            let times = [0.0, 1e-9, 3.0, 3.0, 999.999, 1000.0, 1000.001, 86_400_000.0, 1e15, 3e200, 1e300];
            for (i, &at_ms) in times.iter().enumerate().rev() {
                queue.push(Arrival { at_ms, retry: 1, caller: i as u32 });
            }
            let mut order = Vec::new();
            while let Some(arrival) = queue.pop() {
                order.push(arrival.caller);
                if arrival.caller == 2 {
                    queue.push(Arrival { at_ms: 500.0, retry: 2, caller: 77 });
                }
            }
            assert_eq!(order, [0, 1, 2, 3, 77, 4, 5, 6, 7, 8, 9, 10]);
        }
    }
}
