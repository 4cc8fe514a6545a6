"use strict";

/**
 * What the worker runs. Its text is the worker's source, so it may use nothing from outside but its argument.
 *
 * @param {() => typeof wasm_bindgen} glue gives a fresh, empty instance of the glue
 */
function backoffWorker(glue) {
  self.onmessage = ({ data: { module, name, args } }) => {
    const core = glue();
    core.initSync({ module });
    let answer;
    try {
      const ask = /** @type {Record<string, (...args: unknown[]) => unknown>} */ (/** @type {unknown} */ (core))[name];
      const onProgress = (/** @type {number} */ progress) => self.postMessage({ progress });
      answer = { result: ask?.(...args, onProgress) };
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    self.postMessage(answer);
  };
}
