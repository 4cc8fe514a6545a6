"use strict";

/** The form: fields that stay as they are in the page, each with the source of its value beside it. */
const formView = (() => {
  const { byId, el, words, rebuild } = dom;

  /** Rows that say nothing unless their curve is chosen. */
  const onlyWhenUsed = ["increment", "power", "delays"];

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    byId("own").hidden = !report.own;
    const held = byId("held");
    held.textContent = report.held;
    held.hidden = !report.held;
    const curve = report.fields.find((field) => field.key === "backoff")?.value;
    for (const field of report.fields) {
      row(field, curve);
    }
    const hidden = report.fields.some((field) => byId("more").querySelector(`[data-key="${field.key}"]`) && field.own);
    if (hidden) {
      byId("more", HTMLDetailsElement).open = true;
    }
  }

  /**
   * @param {wasm_bindgen.Field} field
   * @param {string | undefined} curve
   */
  function row(field, curve) {
    const input = control(field.key);
    const line = /** @type {HTMLElement} */ (input.closest(".frow"));
    // What was typed is the value as it was typed, here or in another part's field for the same.
    if (input.value !== field.value) {
      input.value = field.value;
    }
    if (field.key === "jitter-amount") {
      line.hidden = field.value === "";
      return;
    }
    if (onlyWhenUsed.includes(field.key)) {
      const uses = { increment: "linear", power: "polynomial", delays: "list" }[field.key];
      line.hidden = uses !== curve && !field.own;
    }
    line.classList.toggle("own", field.own);
    input.classList.toggle("ask", field.choices.length > 0);
    if (field.wrong) {
      input.setAttribute("aria-invalid", "true");
    } else {
      input.removeAttribute("aria-invalid");
    }
    const source = byId(`s-${field.key}`);
    source.classList.toggle("wrong", field.wrong);
    rebuild(source, [field.source, field.choices], () => {
      if (field.choices.length === 0) {
        return words(field.source);
      }
      const choices = field.choices.map((text) => el("button", { type: "button", "data-choice": text }, text));
      return [el("div", { class: "prompt" }, el("span", {}, ...words(field.source)), ...choices)];
    });
  }

  /**
   * The control of a key.
   *
   * @param {string} key
   * @returns {HTMLInputElement | HTMLSelectElement}
   */
  function control(key) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(`f-${key}`));
  }

  return { id: "form", render };
})();
