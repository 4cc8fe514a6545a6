//! Numbers in buckets, to be taken out a bucket at a time: in chunks of one pool, so that a bucket that grows moves
//! nothing, and an emptied one leaves its memory to the others.

/// How many numbers a chunk holds.
const CHUNK: usize = 64;

/// See the module.
pub(super) struct Buckets {
    pool: Vec<u128>,
    /// The chunk of the same bucket that was filled before each chunk.
    before: Vec<usize>,
    /// Chunks without a bucket.
    free: Vec<usize>,
    buckets: Box<[Bucket]>,
}

#[derive(Clone, Copy, Default)]
struct Bucket {
    /// How many numbers are in it.
    count: usize,
    /// The chunk that is being filled, where there are any.
    chunk: usize,
}

impl Buckets {
    /// So many empty buckets, with room for about this many numbers in all.
    pub fn new(buckets: usize, numbers: usize) -> Self {
        let pool = Vec::with_capacity(numbers);
        Buckets { pool, before: Vec::new(), free: Vec::new(), buckets: vec![Bucket::default(); buckets].into() }
    }

    /// How many buckets there are.
    pub fn count(&self) -> usize {
        self.buckets.len()
    }

    /// How many numbers a bucket holds.
    pub fn len(&self, bucket: usize) -> usize {
        self.buckets[bucket].count
    }

    /// Adds a number to a bucket.
    #[inline]
    pub fn push(&mut self, bucket: usize, number: u128) {
        let Bucket { count, chunk } = &mut self.buckets[bucket];
        let at = *count % CHUNK;
        if at == 0 {
            let next = self.free.pop().unwrap_or_else(|| {
                self.pool.resize(self.pool.len() + CHUNK, 0);
                self.before.push(0);
                self.before.len() - 1
            });
            self.before[next] = *chunk;
            *chunk = next;
        }
        self.pool[*chunk * CHUNK + at] = number;
        *count += 1;
    }

    /// Calls with each number of a bucket, in no order.
    pub fn each(&self, bucket: usize, mut call: impl FnMut(u128)) {
        let Bucket { mut count, mut chunk } = self.buckets[bucket];
        while count > 0 {
            let filled = (count - 1) % CHUNK + 1;
            self.pool[chunk * CHUNK..][..filled].iter().for_each(|number| call(*number));
            count -= filled;
            chunk = self.before[chunk];
        }
    }

    /// Empties a bucket.
    pub fn clear(&mut self, bucket: usize) {
        let Bucket { count, mut chunk } = std::mem::take(&mut self.buckets[bucket]);
        for _ in 0..count.div_ceil(CHUNK) {
            self.free.push(chunk);
            chunk = self.before[chunk];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bucket_gives_back_what_it_was_given() {
        let mut buckets = Buckets::new(7, 0);
        for round in 1..4 {
            for n in 0..1000 {
                buckets.push(n * n % 7, n as u128 * round);
            }
            let mut all = Vec::new();
            for bucket in 0..buckets.count() {
                let mut given = Vec::new();
                buckets.each(bucket, |number| given.push(number));
                assert_eq!(given.len(), buckets.len(bucket));
                assert!(given.iter().all(|number| (number / round * (number / round) % 7) as usize == bucket));
                buckets.clear(bucket);
                assert_eq!(buckets.len(bucket), 0);
                all.append(&mut given);
            }
            all.sort_unstable();
            assert!(all.iter().copied().eq((0..1000).map(|n| n * round)));
            assert_eq!(buckets.free.len(), buckets.before.len());
        }
        assert!(buckets.pool.len() < 1000 + 7 * CHUNK);
    }
}
