// The fleet of the bench in plain JavaScript, the body of a function: how long it takes, ms, and how many calls it makes.
const [callers, allowance, retries] = args;
const start = performance.now();
/** Times of calls to come, by second and retry. */
const due = [];
function refused(at, retry) {
  if (retry < retries) {
    const next = at + Math.random() * Math.min(8000, 1000 * 2 ** retry);
    const second = Math.floor(next / 1000);
    due[second] ??= Array.from({ length: retries + 1 }, () => []);
    due[second][retry + 1].push(next);
  }
}
for (let n = 0; n < callers; n++) {
  refused(0, 0);
}
let calls = callers;
for (let second = 0; second < due.length; second++) {
  const first = Float64Array.from((due[second] ?? []).flat()).sort();
  const last = first[allowance - 1] ?? Infinity;
  // Who is refused and comes back within the second stands at the end of a later list: nothing is left by then.
  (due[second] ?? []).forEach((times, retry) => {
    for (const at of times) {
      calls++;
      if (at > last) {
        refused(at, retry);
      }
    }
  });
}
return [performance.now() - start, calls];
