"""The fleet of the bench in NumPy: prints how long it takes, ms (median of 3), and how many calls it makes."""
import statistics
import sys
import time

import numpy

callers, allowance, retries = map(int, sys.argv[1:])
random = numpy.random.default_rng(1)


def refused(at, retry):
    again = retry < retries
    at, retry = at[again], retry[again]
    return at + random.random(at.size) * numpy.minimum(8000.0, 1000.0 * 2.0**retry), retry + 1


def play():
    calls, second = callers, 0
    at, retry = refused(numpy.zeros(callers), numpy.zeros(callers, dtype=int))
    while at.size:
        second += 1
        left = allowance
        now = at < second * 1000.0
        later = [(at[~now], retry[~now])]
        at, retry = at[now], retry[now]
        # Who is refused and comes back within the second finds nothing left.
        while at.size:
            calls += at.size
            out = numpy.argsort(at)[left:]
            left = max(left - at.size, 0)
            at, retry = refused(at[out], retry[out])
            now = at < second * 1000.0
            later.append((at[~now], retry[~now]))
            at, retry = at[now], retry[now]
        at, retry = (numpy.concatenate(part) for part in zip(*later))
    return calls


took = []
for _ in range(3):
    start = time.perf_counter()
    calls = play()
    took.append((time.perf_counter() - start) * 1000)
print(statistics.median(took), calls)
