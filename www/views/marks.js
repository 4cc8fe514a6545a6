"use strict";

/** The layer behind the text area: line numbers, and a ground under every part of the text that counts. */
const marksView = (() => {
  const { byId, el, rebuild } = dom;

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const text = byId("config", HTMLTextAreaElement).value;
    const note = byId("marks-note");
    note.textContent = report.marksNote;
    note.hidden = !report.marksNote;
    byId("editor").classList.toggle("unmarked", Boolean(report.marksNote));
    if (report.marksNote) {
      return;
    }
    rebuild(byId("marks"), [text, report.marks], () => lines(text, report.marks));
  }

  /**
   * @param {string} text
   * @param {wasm_bindgen.Mark[]} marks in order, none over another
   * @returns {Node[]}
   */
  function lines(text, marks) {
    let at = 0;
    let rest = marks;
    return text.split("\n").map((line) => {
      const end = at + line.length;
      const parts = [];
      for (const mark of rest) {
        if (mark.start >= end) {
          break;
        }
        const from = Math.max(mark.start, at);
        const to = Math.min(mark.end, end);
        parts.push(text.slice(at, from));
        if (to > from) {
          const place = { "data-start": String(mark.start), "data-end": String(mark.end) };
          parts.push(el("mark", { class: mark.kind, ...place }, text.slice(from, to)));
        }
        at = Math.max(at, to);
      }
      while (rest[0] && rest[0].end <= end) {
        rest = rest.slice(1);
      }
      parts.push(text.slice(at, end) || (line === "" ? " " : ""));
      at = end + 1;
      return el("span", { class: "ln" }, ...parts);
    });
  }

  return { id: "marks", render };
})();
