"use strict";

/**
 * The functions that other pages call: `globalThis.backoff`. The build wraps this file, the glue and the module into
 * `www/pkg/backoff.js`.
 *
 * @param {() => typeof wasm_bindgen} glue gives a fresh, empty instance of the glue
 * @param {string} wasm the module, deflated, in base64
 * @param {(glue: () => typeof wasm_bindgen) => void} _worker what a worker runs
 */
function backoffCore(glue, wasm, _worker) {
  const core = glue();
  let started = false;

  async function start() {
    const bytes = Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    core.initSync({ module: await WebAssembly.compile(await new Response(stream).arrayBuffer()) });
    started = true;
  }

  return {
    ready: start(),
    /** @param {string} policy @returns {string} */
    schedule(policy) {
      if (!started) {
        throw new Error("not ready: await backoff.ready");
      }
      return core.schedule(policy);
    },
  };
}
