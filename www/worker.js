"use strict";

/**
 * What the worker runs. Its text is the worker's source, so it may use nothing from outside but its argument.
 *
 * @param {() => typeof wasm_bindgen} glue gives a fresh, empty instance of the glue
 */
function backoffWorker(glue) {
  glue();
}
