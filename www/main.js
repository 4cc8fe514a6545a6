"use strict";

(async () => {
  const output = /** @type {HTMLOutputElement} */ (document.getElementById("total"));
  if (typeof backoff === "undefined") {
    output.textContent = "This page is not built yet. Run: cargo xtask open";
    return;
  }
  await backoff.ready;
  const policy = { backoff: { kind: "exponential", baseMs: 1000, factor: 2 }, capMs: 8000, retries: 5, jitter: "full" };
  output.textContent = `${JSON.parse(backoff.schedule(JSON.stringify(policy))).total.maxMs / 1000} s`;
})();
