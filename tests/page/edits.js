// Edits the page at random: the body of an async function that is given a seed and a count. Returns what went wrong.
const [seed, count] = args;
let state = seed;
const pick = (n) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};
const one = (list) => list[pick(list.length)];
const examples = backoff.libraries().flatMap((info) => info.examples);
const values = [
  "", "0", "1", "3", "7", "250 ms", "1s", "2m", "1.5", "-1", "1e9", "1e308", "99999999999999999999", "±20%", "+0..1s", "full",
  "1s, 2s, 4s", "90%", "1/0", "NaN", "half", "<b>1</b>", "=1+1", "\u202e7", "Wed, 21 Oct 2065 07:28:00 GMT", "٣",
];
/** Some text: an example, a part of one with something in its place, two of them, or none. */
function text() {
  const example = one(examples);
  const [from, to] = [pick(example.length), pick(example.length)].sort((a, b) => a - b);
  return one([example, example.slice(from), example.slice(0, from) + one(values) + example.slice(to), `${example}\n${one(examples)}`, one(values)]);
}
// A file for each edit would fill the disk; the experiment takes seconds and is pressed elsewhere.
const left = "#take-save, #aws-run, a, [readonly]";
const done = [];
for (let n = 0; n < count; n++) {
  const controls = [...document.querySelectorAll("input, textarea, select, button, summary")];
  const usable = controls.filter((e) => !e.disabled && !e.matches(left) && e.checkVisibility());
  const control = pick(4) === 0 ? document.getElementById("config") : one(usable);
  const say = (what) => done.push(`${control.id || control.textContent.slice(0, 40)}: ${what}`);
  const tell = (...events) => events.forEach((name) => control.dispatchEvent(new Event(name, { bubbles: true })));
  if (control.matches("textarea, input[type=text]")) {
    control.value = control.matches("textarea") ? text() : one(values);
    say(control.value);
    tell("input");
  } else if (control.matches("select")) {
    control.selectedIndex = pick(control.options.length);
    say(control.value);
    tell("input", "change");
  } else {
    say("pressed");
    control.click();
  }
  if (pick(100) === 0) {
    location.hash = one(["answer", "v=1&base=1s&factor=2&retries=3", "all", "v=1&base=x&with=%&layers=,,", "%", "theme=dark&embed=1", "embed=0&base=2s&retries=1"]);
    done.push(location.hash);
  }
  // Timers, workers and jumps have their turn, as between the edits of the fastest of readers.
  await new Promise((turn) => setTimeout(turn, pick(20) === 0 ? 20 : 0));
  const banner = document.getElementById("banner");
  if (!banner.hidden) {
    return [document.getElementById("banner-text").textContent, ...done].map((line) => line.toWellFormed());
  }
  done.splice(0, done.length - 8);
}
return [];
