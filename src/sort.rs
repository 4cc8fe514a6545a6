//! Stable sorting, compiled once for all types.
//!
//! The standard sort is compiled anew for every type and comparison, some 3 KB of the page each time. Here it sorts
//! places by a comparison behind a pointer; per type there remains only the moving. What sorts many numbers uses the
//! standard one.

use std::cmp::Ordering;

/// Sorts by a comparison; equal items keep their order.
pub fn by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut from = places(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    for start in 0..items.len() {
        // What belongs here is fetched, what belongs where that was is fetched, until the circle closes.
        let mut at = start;
        while from[at] != start {
            let next = from[at];
            from[at] = at;
            items.swap(at, next);
            at = next;
        }
        from[at] = at;
    }
}

/// Sorts by a key; items with equal keys keep their order.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |a, b| key(a).cmp(&key(b)));
}

/// For each place of the sorted list, where its item is now.
fn places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use super::by_key;

    #[test]
    fn agrees_with_the_standard_sort() {
        for count in 0..200_usize {
            let items: Vec<(usize, usize)> = (0..count).map(|n| (n * 7919 % 31 % (1 + count / 3), n)).collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
        }
    }
}
