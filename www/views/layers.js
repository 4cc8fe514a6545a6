"use strict";

/** The layers around the policy and below it: what one request becomes. */
const layersView = (() => {
  const { byId, el, words, quantity, rebuild, folds } = dom;
  const { inputs } = state;
  const details = byId("layers-working", HTMLDetailsElement);

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const layers = report.layers;
    byId("layers").hidden = !layers;
    if (!layers) {
      return;
    }
    byId("layers-lead").replaceChildren(...words(layers.lead));
    byId("layers-budget").replaceChildren(...words(layers.budget));
    byId("layers-budget").hidden = layers.budget.length === 0;
    details.open = inputs.layers.open ?? false;
    const working = layers.working;
    byId("layers-list").hidden = !working;
    if (!working) {
      return;
    }
    rebuild(byId("layers-rows"), working.rows, () => working.rows.map(row));
    byId("layers-elapsed").replaceChildren(...words(working.elapsed));
    rebuild(byId("layers-choice"), working.choices, () => [
      el("option", { value: "" }, "pick one"),
      ...working.choices.map((choice) => el("option", { value: choice.value }, choice.text)),
    ]);
    for (const name of /** @type {const} */ (["count", "text"])) {
      const control = /** @type {HTMLInputElement} */ (byId(`layers-${name}`));
      if (control.value !== inputs.layers[name]) {
        control.value = inputs.layers[name] ?? "";
      }
    }
    byId("layers-problem").textContent = working.problem;
    byId("layers-count").toggleAttribute("aria-invalid", false);
    if (working.problem) {
      byId("layers-count").setAttribute("aria-invalid", "true");
    }
    byId("layers-said").replaceChildren(...words(working.said));
    rebuild(byId("layers-adds"), working.adds, () =>
      working.adds.map((add) => el("button", { type: "button", "data-list": add.value }, `Add ${add.text}`)),
    );
  }

  /** @param {wasm_bindgen.LayerRow} row */
  function row(row) {
    const button = (/** @type {string} */ text, /** @type {string} */ list, /** @type {boolean} */ shown) =>
      shown
        ? [
            el(
              "button",
              { type: "button", class: "link", "data-list": list, "aria-label": `${text}: ${row.name}` },
              text,
            ),
          ]
        : [];
    const cells = [row.retries, row.calls, row.soFar].map((text) => el("td", { role: "cell", class: "n" }, text));
    return el(
      "tr",
      { role: "row", class: row.own ? "own" : undefined },
      el("th", { role: "rowheader", scope: "row" }, row.name),
      ...cells,
      el("td", { role: "cell", class: "n" }, ...quantity(row.worst)),
      el(
        "td",
        { role: "cell", class: "wide" },
        ...button("Outward", row.outward, row.outward !== ""),
        " ",
        ...button("Remove", row.without, !row.own),
      ),
    );
  }

  /**
   * Hears what the reader does with the list.
   *
   * @param {() => void} update asks for the report anew
   */
  function listen(update) {
    const section = byId("layers");
    section.addEventListener("input", (event) => {
      const control = /** @type {HTMLInputElement} */ (event.target);
      if (control.id === "layers-count" || control.id === "layers-text") {
        inputs.layers[control.id === "layers-count" ? "count" : "text"] = control.value;
        update();
      } else if (control.id === "layers-choice" && control.value) {
        inputs.layers.list = control.value;
        update();
      }
    });
    section.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-list]") : null;
      if (!button) {
        return;
      }
      inputs.layers.list = button.getAttribute("data-list") ?? "";
      if (button.parentElement?.id === "layers-adds") {
        Object.assign(inputs.layers, { count: "", text: "" });
      }
      update();
      // The button is gone with its row.
      byId("layers-choice").focus();
    });
    folds(details, () => inputs.layers, update);
  }

  return { id: "layers", render, listen };
})();
