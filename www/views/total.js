"use strict";

/** The total of all waits: its distribution, and the times it has to fit into. */
const totalView = (() => {
  const { byId, el, svg, words, quantity, rebuild } = dom;
  /** What is drawn. @type {wasm_bindgen.TotalPicture | undefined} */
  let picture;
  let width = 0;

  plot.watch(byId("total-plot"), (now) => {
    width = now;
    draw();
  });

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const total = report.total;
    byId("total").hidden = !total;
    if (!total) {
      return;
    }
    fields(report, total);
    limits(total);
    byId("total-settings").classList.toggle("stale", total.settings.length === 0);
    if (total.settings.length > 0 || total.target.value.trim() === "") {
      byId("total-settings").replaceChildren(...total.settings.map((setting) => el("li", {}, ...words(setting))));
    }
    // Old numbers stay, greyed, until the new ones are there.
    byId("total-answer").classList.toggle("stale", total.unfinished);
    byId("total-answer").setAttribute("aria-busy", String(total.unfinished));
    if (total.unfinished) {
      return;
    }
    byId("total-lead").replaceChildren(...words(total.lead));
    byId("limits-note").textContent = total.limitsNote;
    picture = total.picture ?? undefined;
    byId("total-figure").hidden = !picture;
    byId("total-note").replaceChildren(...words(picture?.note ?? []));
    draw();
    byId("percentiles").hidden = total.table.length === 0;
    byId("percentile-rows").replaceChildren(...total.table.map(line));
  }

  function draw() {
    if (picture && width > 0) {
      const { shapes, height } = plot.distribution(picture, width);
      const about = { title: picture.title, desc: picture.desc, width, height };
      byId("total-plot").replaceChildren(plot.draw(shapes, about));
    }
  }

  /**
   * @param {wasm_bindgen.Report} report
   * @param {wasm_bindgen.TotalPart} total
   */
  function fields(report, total) {
    field(total.callTime, byId("t-call-time", HTMLInputElement), byId("t-call-time-source"));
    field(total.target, byId("t-target", HTMLInputElement), byId("t-target-source"));
    for (const key of ["deadline", "overrun"]) {
      const of = report.fields.find((field) => field.key === key);
      const control = /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(`t-${key}`));
      if (of) {
        field(of, control, key === "deadline" && !of.good ? byId("t-deadline-source") : undefined);
      }
      if (key === "deadline") {
        byId("t-deadline-source").hidden = of?.good ?? true;
        byId("t-overrun-field").hidden = !of?.value;
      }
    }
  }

  /**
   * @param {wasm_bindgen.Field} field
   * @param {HTMLInputElement | HTMLSelectElement} control
   * @param {HTMLElement} [source]
   */
  function field(field, control, source) {
    if (control.value !== field.value) {
      control.value = field.value;
    }
    control.classList.toggle("ask", field.choices.length > 0 && !field.good);
    control.toggleAttribute("aria-invalid", false);
    if (field.wrong) {
      control.setAttribute("aria-invalid", "true");
    }
    if (!source) {
      return;
    }
    source.classList.toggle("wrong", field.wrong);
    rebuild(source, [field.source, field.choices], () => [
      ...words(field.source),
      ...field.choices.flatMap((text) => [" ", el("button", { type: "button", "data-choice": text }, text)]),
    ]);
  }

  /** @param {wasm_bindgen.TotalLine} line */
  function line(line) {
    const cells = line.cells.map((cell) => el("td", { role: "cell", class: "n" }, ...quantity(cell)));
    return el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, line.name), ...cells);
  }

  /** @param {wasm_bindgen.TotalPart} total */
  function limits(total) {
    const keys = total.limits.map((row) => row.field.key);
    rebuild(byId("limits"), keys, () => total.limits.map(limit));
    for (const row of total.limits) {
      const key = row.field.key;
      field(row.field, byId(`t-${key}`, HTMLInputElement), byId(`${key}-problem`));
      byId(`${key}-source`).textContent = row.source;
      byId(`${key}-date`).textContent = row.dated;
      if (row.verdict || !total.unfinished) {
        byId(`${key}-verdict`).replaceChildren(...verdict(row.verdict ?? undefined));
      }
    }
  }

  /** @param {wasm_bindgen.LimitRow} row */
  function limit(row) {
    const key = row.field.key;
    const described = `${key}-source ${key}-problem`;
    const input = {
      type: "text",
      id: `t-${key}`,
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": described,
    };
    return el(
      "tr",
      { role: "row", "data-key": key },
      el(
        "th",
        { role: "rowheader", scope: "row" },
        el("label", { for: `t-${key}` }, row.name),
        el("span", { class: "from", id: `${key}-source` }),
      ),
      el("td", { role: "cell", class: "n" }, el("input", input), el("span", { class: "source", id: `${key}-problem` })),
      el("td", { role: "cell", class: "date", id: `${key}-date` }),
      el("td", { role: "cell", class: "verdict", id: `${key}-verdict` }),
    );
  }

  /** @param {wasm_bindgen.Verdict} [verdict] */
  function verdict(verdict) {
    if (!verdict) {
      return [];
    }
    const calls = verdict.calls.length ? [el("span", { class: "calls" }, ...words(verdict.calls))] : [];
    return [el("span", { class: verdict.fits }, sign(verdict.fits), ...words(verdict.words)), ...calls];
  }

  /** A check, a half disc, a crossed circle. @param {wasm_bindgen.Fits} fits */
  function sign(fits) {
    const stroke = { fill: "none", stroke: "currentColor", "stroke-width": "1.6" };
    const ring = () => svg("circle", { cx: 7, cy: 7, r: 5.6, ...stroke });
    const shapes = {
      always: () => [svg("path", { d: "m1.5 7.6 3.6 3.6 7.4-8.4", ...stroke, "stroke-width": "2" })],
      sometimes: () => [ring(), svg("path", { d: "M7 1.4a5.6 5.6 0 0 0 0 11.2Z", fill: "currentColor" })],
      never: () => [ring(), svg("path", { d: "m4.4 4.4 5.2 5.2m0-5.2-5.2 5.2", ...stroke })],
    };
    const box = { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true", focusable: "false" };
    return svg("svg", box, ...shapes[fits]());
  }

  return { id: "total", render };
})();
