"use strict";

/** What the checks reach into the page with: its core's memory and its workers. The page knows nothing of it. */
globalThis.probe = {
  /** How many of the next reports stop the core instead. */
  traps: 0,
  /** @type {WebAssembly.Memory | undefined} */
  memory: undefined,
  /** @type {Set<Worker>} those that run */
  workers: new Set(),
  /** Ends them as a browser does that is short of memory, which may tell the page or not. */
  kill(tells) {
    for (const worker of [...probe.workers]) {
      if (tells) {
        worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
      }
      worker.terminate();
    }
  },
};

{
  const { Instance, Module } = WebAssembly;
  // A module with one function, `trap`, that does nothing but `unreachable`.
  const [head, type, functions] = ["\0asm\x01\0\0\0", "\x01\x04\x01\x60\0\0", "\x03\x02\x01\0"];
  const bytes = `${head}${type}${functions}\x07\x08\x01\x04trap\0\0\x0a\x05\x01\x03\0\0\x0b`;
  const { trap } = new Instance(new Module(Uint8Array.from(bytes, (c) => c.charCodeAt(0)))).exports;

  WebAssembly.Instance = function (module, imports) {
    const { exports } = new Instance(module, imports);
    probe.memory = exports.memory;
    const report = (...args) => (probe.traps-- > 0 ? trap() : exports.report(...args));
    return { exports: { ...exports, report } };
  };

  const { Worker } = globalThis;
  globalThis.Worker = class extends Worker {
    constructor(source) {
      super(source);
      probe.workers.add(this);
    }

    terminate() {
      probe.workers.delete(this);
      super.terminate();
    }
  };
}
