"use strict";

/** What is worth saying, the worst first; five at once. */
const findingsView = (() => {
  const { byId, el, svg, words, sourceLink, rebuild } = dom;
  const shown = 5;
  let all = false;

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const list = byId("findings");
    list.hidden = report.findings.length === 0;
    all &&= report.findings.length > shown;
    rebuild(list, [report.findings, all], () => items(report.findings));
  }

  /**
   * @param {wasm_bindgen.FindingRow[]} findings
   * @returns {Node[]}
   */
  function items(findings) {
    const rows = (all ? findings : findings.slice(0, shown)).map(item);
    const more = findings.length - rows.length;
    if (more > 0) {
      const button = el("button", { type: "button", class: "link" }, `${more} more`);
      button.addEventListener("click", () => {
        all = true;
        byId("findings").replaceChildren(...findings.map(item));
      });
      rows.push(el("li", { class: "rest" }, button));
    }
    return rows;
  }

  /** @param {wasm_bindgen.FindingRow} finding */
  function item(finding) {
    const name = { error: "Error", warning: "Warning", note: "Note" }[finding.severity];
    const place = finding.span && finding.place ? [" ", sourceLink(finding.place, finding.span)] : [];
    const help = finding.help.length ? [el("p", { class: "help" }, ...words(finding.help))] : [];
    return el(
      "li",
      { class: finding.severity },
      el("span", { class: `sev ${finding.severity}` }, sign(finding.severity), name),
      el("div", {}, el("p", {}, ...words(finding.message), ...place), ...help, ...fix(finding)),
    );
  }

  /** One click takes a policy without the problem. @param {wasm_bindgen.FindingRow} finding */
  function fix({ fix }) {
    const button = fix && el("button", { type: "button", class: "link", "data-take": fix.value }, `Take ${fix.text}`);
    return button ? [el("p", { class: "help screen-only" }, button)] : [];
  }

  /** An octagon, a triangle, a circle. @param {string} severity */
  function sign(severity) {
    const line = { fill: "none", stroke: "currentColor", "stroke-width": "1.6" };
    const shapes = {
      error: [
        svg("path", { d: "M4.3.6h5.4l3.7 3.7v5.4l-3.7 3.7H4.3L.6 9.7V4.3Z", fill: "currentColor" }),
        svg("path", { d: "m4.6 4.6 4.8 4.8m0-4.8-4.8 4.8", class: "cut", "stroke-width": "1.6" }),
      ],
      warning: [
        svg("path", { d: "M7 1 13.4 12.6H.6Z", "stroke-linejoin": "round", ...line }),
        svg("path", { d: "M7 5v3.6M7 10v1.2", ...line }),
      ],
      note: [svg("circle", { cx: 7, cy: 7, r: 6.1, ...line }), svg("path", { d: "M7 3v1.6M7 6v5", ...line })],
    };
    const box = { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true", focusable: "false" };
    return svg("svg", box, ...(shapes[/** @type {"error" | "warning" | "note"} */ (severity)] ?? []));
  }

  /**
   * Hears which fix the reader takes; the comparison has one to take as well.
   *
   * @param {() => void} update asks for the report anew
   */
  function listen(update) {
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-take]") : null;
      if (!button) {
        return;
      }
      state.forgetEdits();
      state.inputs.taken = button.getAttribute("data-take") ?? "";
      update();
      // A button that is gone with its finding has taken the focus with it.
      if (!button.isConnected) {
        byId("h-answer").focus();
      }
    });
  }

  return { id: "findings", render, listen };
})();
