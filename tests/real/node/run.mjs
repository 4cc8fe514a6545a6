// Runs texts in the npm packages they are written for: cases from standard input, what happened to standard output, for
// each case some runs, each the waits in seconds between the calls that were made. Time is virtual: a timer only moves
// the clock.

import { createRequire } from "node:module";
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const MOST = 12; // calls, where nothing ends the retrying

const real = { setTimeout, clearTimeout, setImmediate, now: Date.now };
let now = real.now();
let timers = [];
let calls = [];
let enough = () => {};

class Timer {
  constructor(at, run) {
    Object.assign(this, { at, run });
  }
  ref() { return this; }
  unref() { return this; }
  hasRef() { return true; }
  refresh() { return this; }
  [Symbol.toPrimitive]() { return 1; }
}

globalThis.setTimeout = (run, ms = 0, ...args) => {
  // Beyond 2^31 - 1 ms Node takes 1 ms.
  const timer = new Timer(now + (ms >= 1 && ms <= 2 ** 31 - 1 ? ms : ms > 0 && ms < 1 ? ms : ms > 0 ? 1 : 0), () => run(...args));
  timers.push(timer);
  return timer;
};
globalThis.clearTimeout = (timer) => {
  timers = timers.filter((other) => other !== timer);
};
Date.now = () => now;
performance.now = () => now;
const RealDate = Date;

/** Records a call and fails. */
function fail() {
  calls.push(now);
  if (calls.length > MOST) {
    enough();
    return new Promise(() => {});
  }
  return Promise.reject(new Error("down"));
}

/** Lets everything run that needs no timer. */
async function settle() {
  for (let i = 0; i < 12; i++) {
    await new Promise((done) => real.setImmediate(done));
  }
}

/** Moves the clock from timer to timer until a promise is settled or nothing is left to wait for. */
async function play(promise) {
  let over = false;
  const end = () => (over = true);
  enough = end;
  Promise.resolve(promise).then(end, end);
  for (let idle = 0; !over && idle < 50; ) {
    await settle();
    const next = timers.reduce((a, b) => (a && a.at <= b.at ? a : b), undefined);
    if (!next) {
      idle++;
      continue;
    }
    idle = 0;
    timers = timers.filter((timer) => timer !== next);
    now = Math.max(now, next.at);
    next.run();
  }
}

let count = 0;

/** The module that a text makes, with `tail` added and free names given. */
async function load(text, tail, free = {}) {
  mkdirSync("texts", { recursive: true });
  const file = `texts/${++count}.mjs`;
  globalThis.free = free;
  const names = Object.keys(free).map((name) => `const ${name} = globalThis.free.${name};\n`).join("");
  writeFileSync(file, names + text + tail);
  return import(pathToFileURL(file).href);
}

/** A text that awaits the retrying itself, `run` being what fails. */
const awaited = (text) => {
  const [imports, call] = text.split(/\n\n(?=await)/);
  return load(`${imports}\n\nexport const go = () => ${call.replace("await ", "")}`, "", { run: fail });
};

const RUN = {
  "p-retry": ["p-retry", async (text) => play((await awaited(text)).go())],
  "async-retry": ["async-retry", async (text) => play((await awaited(text)).go())],
  "promise-retry": ["promise-retry", async (text) => play((await awaited(text)).go())],
  "exponential-backoff-npm": ["exponential-backoff", async (text) => play((await awaited(text)).go())],
  "node-retry": ["retry", async (text) => {
    const { operation } = await load(text, "export { operation };");
    await play(new Promise((done) => {
      operation.attempt(() => fail().catch((error) => operation.retry(error) || done()));
    }));
  }],
  "axios-retry": ["axios-retry", async (text) => {
    const { axios } = await load(text, "export { axios };");
    axios.defaults.adapter = () => fail().catch((error) => {
      throw Object.assign(error, { isAxiosError: true, code: "ECONNRESET", config: { ...axios.defaults, method: "get", ...last } });
    });
    let last = {};
    axios.interceptors.request.use((config) => (last = config));
    await play(axios.get("http://localhost:9/"));
    axios.interceptors.request.clear();
    axios.interceptors.response.clear();
  }],
  got: ["got", async (text) => {
    const { client } = await load(text, "export { client };");
    const http = await import("node:http");
    const request = (...args) => {
      const made = new http.ClientRequest("http://localhost:9/", { createConnection: () => { throw 0; } });
      return made;
    };
    await play(client.get("http://127.0.0.1:9/", {
      hooks: { beforeRequest: [() => { calls.push(now); if (calls.length > MOST) { enough(); return new Promise(() => {}); } }] },
    }));
  }],
  ky: ["ky", async (text) => {
    globalThis.fetch = () => fail().catch(() => { throw new TypeError("fetch failed"); });
    const { client } = await load(text, "export { client };");
    await play(client.get("http://localhost:9/"));
  }],
  cockatiel: ["cockatiel", async (text) => play((await load(text, "export { policy };")).policy.execute(fail))],
  bullmq: ["bullmq", async (text) => {
    const { Backoffs } = await import("bullmq");
    const options = /defaultJobOptions: (\{[^]*?\n  \}),\n\}\);/.exec(text)[1];
    const { attempts, backoff } = new Function(`return ${options}`)();
    calls.push(now);
    for (let made = 1; made < attempts && calls.length <= MOST; made++) {
      now += await Backoffs.calculate(backoff, made, new Error("down"), {}, undefined);
      calls.push(now);
    }
  }],
  kafkajs: ["kafkajs", async (text) => {
    const require = createRequire(import.meta.url);
    const retry = require("kafkajs/src/retry");
    const { kafka } = await load(text.replace("new Kafka(", "(x => x)("), "export { kafka };");
    await play(retry(kafka.retry)(() => fail()));
  }],
  ioredis: ["ioredis", async (text) => {
    const options = /new Redis\((\{[^]*\})\);/.exec(text)[1];
    const { retryStrategy } = new Function(`return ${options}`)();
    calls.push(now);
    // As the client's close handler: anything but a number ends it.
    for (let times = 1; calls.length <= MOST; times++) {
      const delay = retryStrategy(times);
      if (typeof delay !== "number") break;
      now += delay;
      calls.push(now);
    }
  }],
  "tanstack-query": ["@tanstack/query-core", async (text) => {
    const { queryClient } = await load(text.replace("@tanstack/react-query", "@tanstack/query-core"), "export { queryClient };");
    const { QueryObserver } = await import("@tanstack/query-core");
    const observer = new QueryObserver(queryClient, { queryKey: [count], queryFn: fail, networkMode: "always", gcTime: Infinity });
    let stop;
    await play(new Promise((done) => {
      stop = observer.subscribe((result) => result.isError && done());
    }));
    stop();
    queryClient.clear();
  }],
  "trigger.dev": ["@trigger.dev/core", async (text) => {
    const { calculateNextRetryDelay } = await import("@trigger.dev/core/v3");
    const { job } = await load(text.replace(/import .*\n/, "const task = (options) => options;\n"), "", { run: fail });
    calls.push(now);
    for (let attempt = 1; calls.length <= MOST; attempt++) {
      const delay = calculateNextRetryDelay(job.retry, attempt);
      if (delay === undefined) break;
      now += delay;
      calls.push(now);
    }
  }],
};

const checkedBy = (valid) => { if (valid !== true) throw new Error(valid); };
const CHECK = {
  "aws-step-functions": ["asl-validator", async (text) => {
    const { default: validate } = await import("asl-validator");
    const { isValid, errors } = (validate.default ?? validate)({ StartAt: "Call", States: JSON.parse(text) });
    checkedBy(isValid || JSON.stringify(errors));
  }],
  "grpc-service-config": ["@grpc/grpc-js", async (text) => {
    const { validateServiceConfig } = createRequire(import.meta.url)("@grpc/grpc-js/build/src/service-config.js");
    validateServiceConfig(JSON.parse(text));
  }],
  "kubernetes-job": ["kubernetes-models", async (text) => {
    const { Job } = await import("kubernetes-models/batch/v1");
    new Job((await import("yaml")).parse(text)).validate();
  }],
  istio: ["@kubernetes-models/istio", async (text) => {
    const { VirtualService } = await import("@kubernetes-models/istio/networking.istio.io/v1");
    new VirtualService((await import("yaml")).parse(text)).validate();
  }],
  temporal: ["@temporalio/common", async (text) => {
    const { compileRetryPolicy, msToTs } = (await import("@temporalio/common")).default;
    const options = new Function(`return ${/proxyActivities\((\{[^]*\})\);/.exec(text)[1]}`)();
    compileRetryPolicy(options.retry);
    for (const name of ["startToCloseTimeout", "scheduleToCloseTimeout"]) {
      if (name in options) (await import("@temporalio/common/lib/time.js")).default.msToTs(options[name]);
    }
  }],
};

const version = (name) =>
  `${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version}`;

const out = [];
for (const one of JSON.parse(readFileSync(0, "utf8"))) {
  const [name, run] = RUN[one.library] ?? CHECK[one.library];
  const done = { version: version(name), runs: [] };
  try {
    if (one.library in CHECK) {
      await run(one.text);
      done.checked = true;
      out.push(done);
      continue;
    }
    for (let i = 0; i < one.times; i++) {
      calls = [];
      timers = [];
      await run(one.text);
      if (calls.length === 0) throw new Error("no call was made");
      calls = calls.slice(0, MOST + 1);
      done.runs.push(calls.slice(1).map((at, k) => (at - calls[k]) / 1000));
    }
  } catch (error) {
    done.error = `${error.name}: ${error.message}`;
  }
  out.push(done);
}
process.stdout.write(JSON.stringify(out), () => process.exit(0));
process.on("unhandledRejection", () => {});
