"use strict";

/**
 * The picture of arrivals over time. Lines stretch with the width, words do not: no script follows the size.
 *
 * @param {wasm_bindgen.Picture} picture
 */
function arrivalsPicture(picture) {
  const { svg } = dom;
  const top = 52;
  const height = 250;
  const bottom = top + height;
  /** @param {number} percent */
  const up = (percent) => bottom - (percent / 100) * height;

  /** The paths are drawn in a box of 100 by 100. @param {...(Node | string)} children */
  function stretched(...children) {
    const size = { x: 0, y: top, width: "100%", height, viewBox: "0 0 100 100", preserveAspectRatio: "none" };
    return svg("svg", size, ...children);
  }

  /** @param {wasm_bindgen.Series} series */
  function lines(series) {
    const name = series.own ? "g-line" : `g-${series.id}`;
    const parts = [svg("path", { class: name, d: series.line })];
    if (series.own) {
      parts.unshift(svg("path", { class: "g-area", d: series.line }));
    }
    if (series.band) {
      parts.push(svg("path", { class: "g-band", d: series.band }));
    }
    return group(series, stretched(...parts));
  }

  /** @param {wasm_bindgen.Series} series */
  function labels(series) {
    const name = series.own ? "t-accent" : series.ghost ? "t-ghost" : "t-other";
    return group(
      series,
      ...series.labels.map((label, n) => {
        // What stands at the top has lines of its own: this policy, the first bar with its name, the other bars.
        const asked = Math.max(up(label.y) + 4, top);
        const y = series.own ? 14 : series.ghost ? (n === 0 ? 31 : 48) : asked;
        return svg("text", { class: name, x: `${label.x}%`, y, dx: 6 }, label.text);
      }),
    );
  }

  /**
   * What can be shown on request has its name.
   *
   * @param {wasm_bindgen.Series} series
   * @param {...Node} children
   */
  function group(series, ...children) {
    const asked = !series.own && !series.ghost;
    return svg("g", asked ? { "data-jitter": series.id, hidden: "" } : {}, ...children);
  }

  const across = { x1: 0, x2: "100%" };
  const order = [...picture.series].sort((a, b) => Number(a.own) - Number(b.own));
  return svg(
    "svg",
    { class: "chart", width: "100%", height: bottom + 40, role: "img", "aria-labelledby": "fleet-title fleet-desc" },
    svg("title", { id: "fleet-title" }, picture.title),
    svg("desc", { id: "fleet-desc" }, picture.description),
    ...picture.rates.map((tick) => svg("text", { x: -6, y: up(tick.at) + 4, "text-anchor": "end" }, tick.label)),
    ...picture.rates.map((tick) => svg("line", { class: "g-grid", y1: up(tick.at), y2: up(tick.at), ...across })),
    ...order.map(lines),
    svg("line", { class: "g-limit", y1: up(picture.allowance.at), y2: up(picture.allowance.at), ...across }),
    svg(
      "text",
      { class: "t-limit", x: "99%", y: up(picture.allowance.at) - 7, "text-anchor": "end" },
      picture.allowance.label,
    ),
    ...order.map(labels),
    svg("line", { class: "g-axis", y1: bottom, y2: bottom, ...across }),
    ...picture.times.flatMap((tick, n) => [
      svg("line", { class: "g-axis", x1: `${tick.at}%`, x2: `${tick.at}%`, y1: bottom, y2: bottom + 5 }),
      svg("text", { x: `${tick.at}%`, y: bottom + 19, "text-anchor": n === 0 ? "start" : "middle" }, tick.label),
    ]),
    svg("text", { x: 0, y: bottom + 36 }, "time since all callers were refused"),
  );
}
