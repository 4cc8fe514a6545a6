"use strict";

/** The schedule: one row a wait, its picture inside the row. */
const scheduleView = (() => {
  const { byId, el, svg, words, quantity } = dom;

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const table = report.table;
    byId("schedule").hidden = !table;
    if (!table) {
      return;
    }
    byId("schedule-note").replaceChildren(...words(table.note));
    byId("axis", SVGElement).replaceChildren(...labels(table.axis));
    const rows = table.rows.map((row) => line(row, table.axis));
    if (table.fold) {
      rows.push(fold(table.fold));
    }
    rows.push(...table.last.map((row) => line(row, table.axis)));
    byId("rows").replaceChildren(...rows);
    byId("totals").replaceChildren(total(table.total));
  }

  /** @param {wasm_bindgen.Axis} axis */
  function labels(axis) {
    const ticks = axis.ticks.map((tick, n) => {
      const anchor = n === 0 ? "start" : "middle";
      const last = axis.cap && n > 0 && n === axis.ticks.length - 1;
      return svg(
        "text",
        { x: `${tick.at}%`, y: 13, "text-anchor": anchor, class: last ? "t-last" : undefined },
        tick.label,
      );
    });
    if (axis.cap) {
      const [x, anchor] = axis.cap.at > 80 ? ["100%", "end"] : [`${axis.cap.at}%`, "middle"];
      ticks.push(svg("text", { x, y: 13, "text-anchor": anchor, class: "t-cap" }, axis.cap.label));
    }
    return ticks;
  }

  /**
   * @param {wasm_bindgen.Row} row
   * @param {wasm_bindgen.Axis} axis
   */
  function line(row, axis) {
    const text = row.shaped.map((run) => run.text).join("");
    return el(
      "tr",
      { role: "row" },
      el("th", { role: "rowheader", scope: "row" }, row.attempt),
      el("td", { role: "cell", class: "pic" }, picture(row, axis)),
      ...[row.min, row.max, row.mean, row.soFar].map(cell),
      el("td", { role: "cell", class: text.length < 29 ? "wide short" : "wide" }, ...words(row.shaped)),
    );
  }

  /** @param {wasm_bindgen.Quantity} value */
  function cell(value) {
    return el("td", { role: "cell", class: "n" }, ...quantity(value));
  }

  /**
   * @param {wasm_bindgen.Row} row
   * @param {wasm_bindgen.Axis} axis
   */
  function picture(row, axis) {
    const parts = axis.ticks.slice(1).map((tick) => upright("g-grid", tick.at));
    if (row.from === row.to) {
      parts.push(
        svg("line", { class: "g-grid", x1: 0, x2: `${row.to}%`, y1: "50%", y2: "50%" }),
        block("g-mean", row.to, 9, 9),
      );
    } else {
      const width = Math.max(row.to - row.from, 0);
      const bar = { x: `${row.from}%`, width: `${width}%`, y: "50%", height: 14, transform: "translate(0 -7)" };
      parts.push(svg("rect", { class: "g-bar", ...bar }));
      if (row.middle !== null && row.middle !== undefined) {
        parts.push(block("g-mean", row.middle, 3, 20));
      }
      if (row.stop) {
        parts.push(block("g-mean", row.to, 4, 14));
      }
    }
    if (axis.cap) {
      parts.push(upright("g-cap", axis.cap.at));
    }
    return svg("svg", { "aria-hidden": "true", focusable: "false" }, ...parts);
  }

  /**
   * @param {string} name
   * @param {number} at
   */
  function upright(name, at) {
    return svg("line", { class: name, x1: `${at}%`, x2: `${at}%`, y1: 0, y2: "100%" });
  }

  /**
   * @param {string} name
   * @param {number} at
   * @param {number} width
   * @param {number} height
   */
  function block(name, at, width, height) {
    const transform = `translate(${-width / 2} ${-height / 2})`;
    return svg("rect", { class: name, x: `${at}%`, y: "50%", width, height, transform });
  }

  /** @param {wasm_bindgen.Fold} fold */
  function fold(fold) {
    const show = fold.show ? [" ", el("button", { type: "button", class: "link", id: "show-all" }, fold.show)] : [];
    return el("tr", { role: "row", class: "gap" }, el("td", { role: "cell", colspan: "7" }, fold.text, ...show));
  }

  /** @param {wasm_bindgen.TotalRow} total */
  function total(total) {
    const numbers = total.always
      ? [el("td", { role: "cell", class: "n", colspan: "4" }, ...quantity(total.max), ", always")]
      : [total.min, total.max, total.mean, total.max].map(cell);
    return el(
      "tr",
      { role: "row" },
      el("th", { role: "rowheader", scope: "row" }, "Total"),
      el("td", { role: "cell", class: "pic blank" }),
      ...numbers,
      el("td", { role: "cell", class: "wide" }, ...words(total.remark)),
    );
  }

  return { id: "schedule", render, labels, picture };
})();
