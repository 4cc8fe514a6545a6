"use strict";

/** The policy beside a second one: what differs, and both schedules on one scale. */
const compareView = (() => {
  const { byId, el, svg, words, quantity, rebuild, folds } = dom;
  const { inputs } = state;
  const details = byId("compare-working", HTMLDetailsElement);
  const fields = /** @type {const} */ (["text", "rules", "key", "value"]);

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const compare = report.compare;
    byId("compare").hidden = !compare;
    if (!compare) {
      return;
    }
    byId("compare-lead").replaceChildren(...words(compare.lead));
    byId("compare-second").replaceChildren(...words(compare.second));
    byId("compare-problem").replaceChildren(...words(compare.problem));
    byId("compare-rules-field").hidden = compare.rules.length === 0;
    rebuild(byId("compare-rules"), compare.rules, () => [
      el("option", { value: "" }, "no other"),
      ...compare.rules.map((rule) => el("option", { value: rule.value }, rule.text)),
    ]);
    for (const name of fields) {
      const control = /** @type {HTMLInputElement} */ (byId(`compare-${name}`));
      if (control.value !== inputs.compare[name]) {
        control.value = inputs.compare[name] ?? "";
      }
    }
    details.open = inputs.compare.open ?? false;
    const working = compare.working;
    byId("compare-numbers").hidden = !working;
    if (!working) {
      return;
    }
    byId("compare-rows").replaceChildren(...working.rows.map(number));
    byId("compare-axis", SVGElement).replaceChildren(
      ...working.pairs.axis.ticks.map(({ at, label }, n) =>
        svg("text", { x: `${at}%`, y: 13, "text-anchor": n === 0 ? "start" : "middle" }, label),
      ),
    );
    byId("compare-pairs").replaceChildren(...working.pairs.rows.map((row) => pair(row, working.pairs.axis)));
    byId("compare-rest").textContent = working.pairs.rest;
    byId("compare-take").dataset.take = working.take;
  }

  /** @param {wasm_bindgen.CompareRow} row */
  function number(row) {
    const cells = [row.first, row.second].map((value) => el("td", { class: "n" }, ...quantity(value)));
    return el("tr", {}, el("th", { scope: "row" }, row.what), ...cells, el("td", { class: "n" }, row.change));
  }

  /**
   * @param {wasm_bindgen.PairRow} row
   * @param {wasm_bindgen.Axis} axis
   */
  function pair(row, axis) {
    const grid = axis.ticks
      .filter(({ at }) => at > 0)
      .map(({ at }) => svg("line", { class: "g-grid", x1: `${at}%`, x2: `${at}%`, y1: 0, y2: "100%" }));
    const bars = [...bar(row.first ?? undefined, "g-bar", -10), ...bar(row.second ?? undefined, "g-other", 2)];
    const texts = [row.first, row.second].map((range) =>
      el("td", { role: "cell", class: "n" }, range ? range.text : "none"),
    );
    return el(
      "tr",
      { role: "row" },
      el("th", { role: "rowheader", scope: "row" }, row.attempt),
      el(
        "td",
        { role: "cell", class: "pic" },
        svg("svg", { "aria-hidden": "true", focusable: "false" }, ...grid, ...bars),
      ),
      ...texts,
    );
  }

  /**
   * The bar of a range; a single value is as wide as a tick.
   *
   * @param {wasm_bindgen.Range | undefined} range
   * @param {string} name
   * @param {number} down
   */
  function bar(range, name, down) {
    if (!range) {
      return [];
    }
    const single = range.from === range.to;
    const width = single ? 8 : `${range.to - range.from}%`;
    const transform = `translate(${single ? -4 : 0} ${down})`;
    const look = single && name === "g-bar" ? "g-mean" : name;
    return [svg("rect", { class: look, x: `${range.from}%`, y: "50%", width, height: 8, transform })];
  }

  /**
   * Hears what the reader compares with.
   *
   * @param {() => void} update asks for the report anew
   */
  function listen(update) {
    byId("compare").addEventListener("input", (event) => {
      const control = /** @type {HTMLInputElement} */ (event.target);
      const name = fields.find((name) => control.id === `compare-${name}`);
      if (name) {
        inputs.compare[name] = control.value;
        inputs.compare.link = name === "text" ? "" : inputs.compare.link;
        update();
      }
    });
    folds(details, () => inputs.compare, update);
  }

  return { id: "compare", render, listen };
})();
