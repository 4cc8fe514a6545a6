"use strict";

/** The explanation's own figures, computed for the policy above it. */
const howView = (() => {
  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    for (const place of document.querySelectorAll("[data-how]")) {
      const line = report.how.find((line) => line.id === place.getAttribute("data-how"));
      place.replaceChildren(...dom.words(line?.words ?? []));
    }
  }

  return { id: "how", render };
})();
