"use strict";

/**
 * The module inside `www/pkg/backoff.js`.
 *
 * @param {string} wasm deflated, in base64
 */
async function backoffModule(wasm) {
  const bytes = Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
