"use strict";

/** The same policy under each of the four usual jitters; a name takes it into the form. */
const jittersView = (() => {
  const { byId, el, quantity } = dom;

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    byId("jitters-box").hidden = report.jitters.length === 0;
    const body = byId("jitters");
    const focused = body.contains(document.activeElement) ? document.activeElement?.getAttribute("data-jitter") : null;
    body.replaceChildren(...report.jitters.map(line));
    const button = focused ? body.querySelector(`[data-jitter="${focused}"]`) : null;
    if (button instanceof HTMLElement) {
      button.focus();
    }
  }

  /** @param {wasm_bindgen.JitterRow} row */
  function line(row) {
    const name = { type: "button", class: "link", "data-jitter": row.name, "aria-pressed": String(row.own) };
    return el(
      "tr",
      { class: row.own ? "own" : undefined },
      el("th", { scope: "row" }, el("button", name, row.name), row.own ? ", this policy" : ""),
      ...[row.best, row.typical, row.worst].map((value) => el("td", { class: "n" }, ...quantity(value))),
    );
  }

  return { id: "jitters", render };
})();
