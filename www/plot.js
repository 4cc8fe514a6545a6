"use strict";

/**
 * Geometry of the pictures: what is drawn where, in pixels, as plain shapes. Nothing here touches the page but `draw`
 * and `watch`.
 *
 * @typedef {{ name: string, attributes: Record<string, string | number | undefined>, text?: string, bold?: string }} Shape
 * @typedef {{ x: number, y: number }} Point
 */
const plot = (() => {
  const { svg } = dom;

  /** The width of a label at 13 px in a wide font. @param {string} text */
  const wide = (text) => [...text].reduce((sum, c) => sum + (" .,:;ijlft".includes(c) ? 4.8 : 8.2), 0);

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} left
   * @param {number} right
   * @returns {(value: number) => number}
   */
  function scale(from, to, left, right) {
    return (value) => left + ((value - from) / (to - from)) * (right - left);
  }

  /** @param {Point[]} points */
  function path(points) {
    return points.map(({ x, y }, n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  }

  /**
   * The height of a curve at a place.
   *
   * @param {Point[]} points
   * @param {number} x
   * @returns {Point}
   */
  function on(points, x) {
    const n = points.findIndex((point) => point.x >= x);
    const [before, after] = [points[n - 1], points[n]];
    if (!before || !after) {
      return { x, y: after && after.x === x ? after.y : Number.POSITIVE_INFINITY };
    }
    return { x, y: before.y + ((after.y - before.y) * (x - before.x)) / (after.x - before.x || 1) };
  }

  /**
   * @param {string | undefined} look
   * @param {number} x
   * @param {number} y
   * @param {string} text
   * @param {"start" | "middle" | "end"} anchor
   * @param {string} [bold] what stands before it, in bold
   * @returns {Shape}
   */
  function label(look, x, y, text, anchor = "start", bold = "") {
    return { name: "text", attributes: { class: look, x: round(x), y: round(y), "text-anchor": anchor }, text, bold };
  }

  /**
   * @param {string} look
   * @param {number} x
   * @param {number} from
   * @param {number} to
   * @returns {Shape}
   */
  function upright(look, x, from, to) {
    return { name: "line", attributes: { class: look, x1: round(x), x2: round(x), y1: round(from), y2: round(to) } };
  }

  /** @param {number} n */
  const round = (n) => Math.round(n * 10) / 10;

  /**
   * A distribution in the width there is: its shapes from back to front, and its height.
   *
   * @param {wasm_bindgen.TotalPicture} picture
   * @param {number} width
   * @returns {{ shapes: Shape[], height: number }}
   */
  function distribution(picture, width) {
    const narrow = width < 480;
    const [left, right, base] = [6, width - (narrow ? 14 : 18), 266];
    const x = scale(picture.fromMs, picture.toMs, left, right);
    const limit = picture.deadline ? words(picture.deadline, x(picture.deadline.ms), width, narrow) : undefined;
    const top = limit ? 24 + 17 * limit.lines : 16;
    const peak = Math.max(...picture.curve.map((point) => point.perMs), 0) || 1;
    const curve = picture.curve.map(({ ms, perMs }) => ({ x: x(ms), y: base - (perMs / peak) * (base - top) }));
    const cut = picture.deadline ? x(picture.deadline.ms) : undefined;
    const flags = picture.flags.filter((flag) => !(narrow && flag.wide));
    const axis = rows(picture, x, base, right, narrow);
    const shapes = [
      ...areas(curve, cut, base),
      ...picture.stems.flatMap((stem) => needle(stem, x(stem.ms), base, top, width, picture.curve.length > 0)),
      ...percentiles(flags, x, curve, base, { cut, width, narrow, from: top + (narrow ? 20 : 30) }),
      ...(limit?.shapes ?? []),
      ...(cut === undefined ? [] : [upright("g-limit", cut, 4, base + 6)]),
      ...axis.shapes,
    ];
    return { shapes, height: axis.bottom };
  }

  /**
   * The area under a curve, hatched from the limit on, and the curve.
   *
   * @param {Point[]} curve
   * @param {number | undefined} cut
   * @param {number} base
   * @returns {Shape[]}
   */
  function areas(curve, cut, base) {
    const [first, last] = [curve[0], curve.at(-1)];
    if (!first || !last) {
      return [];
    }
    /** @param {Point[]} points @param {string} look */
    const area = (points, look) => {
      const [from, to] = [points[0], points.at(-1)];
      const d = from && to ? `${path(points)}L${to.x.toFixed(1)} ${base}L${from.x.toFixed(1)} ${base}Z` : "";
      return { name: "path", attributes: { class: look, d, fill: look === "g-over" ? "url(#hatch)" : undefined } };
    };
    const at = cut === undefined || cut >= last.x ? undefined : on(curve, cut);
    const edge = at && Number.isFinite(at.y) ? [at] : [];
    const split = cut ?? last.x;
    const before = [...curve.filter((point) => point.x < split || cut === undefined), ...edge];
    const after = [...edge, ...curve.filter((point) => point.x >= split && cut !== undefined)];
    const line = [{ x: first.x, y: base }, ...curve, { x: last.x, y: base }];
    return [
      area(before, "g-area"),
      ...(after.length > 1 ? [area(after, "g-over")] : []),
      { name: "path", attributes: { class: "g-line", d: path(line) } },
    ];
  }

  /**
   * A single value: a stem with a dot, as high as its share; alone, one line over the whole height.
   *
   * @param {wasm_bindgen.Stem} stem
   * @param {number} x
   * @param {number} base
   * @param {number} top
   * @param {number} width
   * @param {boolean} beside whether there is a curve beside it
   * @returns {Shape[]}
   */
  function needle(stem, x, base, top, width, beside) {
    const y = base - stem.p * (base - top - 18);
    const end = x + 8 + wide(stem.label) > width;
    // Shares of a few in a hundred would be a forest of words; the table and the note have what matters of them.
    const said = stem.p >= (beside ? 0.01 : 0.05);
    return [
      upright("g-stem", x, y, base),
      { name: "circle", attributes: { class: "g-dot", cx: round(x), cy: round(y), r: 4 } },
      ...(said ? [label("k", end ? x - 8 : x + 8, Math.max(y, 20) + 4, stem.label, end ? "end" : "start")] : []),
    ];
  }

  /**
   * Percentiles: p50 and p90 inside the hump where there is room, the others on stairs that fall to the right.
   *
   * @param {wasm_bindgen.Flag[]} flags
   * @param {(ms: number) => number} x
   * @param {Point[]} curve
   * @param {number} base
   * @param {{ cut: number | undefined, width: number, narrow: boolean, from: number }} room
   * @returns {Shape[]}
   */
  function percentiles(flags, x, curve, base, { cut, width, narrow, from }) {
    /** @type {Shape[]} */
    const shapes = [];
    const stairs = [];
    let taken = 0;
    for (const flag of flags) {
      const at = x(flag.ms);
      const room = Math.max(wide(flag.label), wide(flag.name)) + 8;
      const height = on(curve, at).y;
      const [start, end] = flag.name === "p50" ? [at, at + room] : [at - room, at];
      const free = cut === undefined || cut < start - 2 || cut > end + 2 || cut === at;
      const inside = flag.name === "p50" || flag.name === "p90";
      if (inside && base - height > 44 && start >= taken && end < width && free) {
        const [place, anchor] = flag.name === "p50" ? [at + 7, "start"] : [at - 6, "end"];
        const side = /** @type {"start" | "end"} */ (anchor);
        shapes.push(upright("g-tick", at, height, base), label("k", place, base - 28, flag.name, side));
        shapes.push(label(undefined, place, base - 11, flag.label, side));
        taken = end + 8;
      } else {
        stairs.push(flag);
      }
    }
    const step = narrow ? 22 : 32;
    // The page's gutter takes the end of a label.
    const edge = width + 12;
    /** @param {wasm_bindgen.Flag} flag @param {string} text */
    const fits = (flag, text) => x(flag.ms) + 6 + wide(text) <= edge;
    // A label without room goes without its number; where even its name has none, all stand left of their lines.
    const flip = !stairs.every((flag) => fits(flag, flag.name));
    stairs.forEach((flag, n) => {
      const at = x(flag.ms);
      const y = from + step * (flip ? stairs.length - 1 - n : n);
      const text = flip || fits(flag, `${flag.name} ${flag.label}`) ? flag.label : "";
      shapes.push(upright("g-tick", at, y - 10, base));
      shapes.push(label(undefined, flip ? at - 6 : at + 6, y, text, flip ? "end" : "start", flag.name));
    });
    return shapes;
  }

  /**
   * What is written at the limit: left of it, right of it, or all on the side that has the room.
   *
   * @param {wasm_bindgen.DeadlineLine} line
   * @param {number} x
   * @param {number} width
   * @param {boolean} narrow
   */
  function words(line, x, width, narrow) {
    const pick = narrow ? 1 : 0;
    const name = { text: line.label, look: "t-limit" };
    const before = { text: line.before[pick] ?? "", look: undefined };
    const after = { text: line.after[pick] ?? "", look: undefined };
    /** @param {{ text: string }[]} all */
    const room = (all) => Math.max(...all.map(({ text }) => wide(text)));
    const leftFits = room([name, before]) + 8 <= x;
    const rightFits = room([after]) + 8 <= width - x;
    const [onLeft, onRight] = !leftFits
      ? [[], [name, before, after]]
      : rightFits
        ? [[name, before], [after]]
        : [[name, before, after], []];
    /** @param {typeof onLeft} texts @param {number} at @param {"start" | "end"} anchor */
    const block = (texts, at, anchor) =>
      texts.filter(({ text }) => text).map(({ text, look }, n) => label(look, at, 14 + 17 * n, text, anchor));
    const shapes = [...block(onLeft, x - 8, "end"), ...block(onRight, x + 8, "start")];
    const lines = Math.max(...[onLeft, onRight].map((texts) => texts.filter(({ text }) => text).length));
    return { shapes, lines };
  }

  /**
   * The axis and the rows of numbers under it; a number that would run into another one is left out of all rows.
   *
   * @param {wasm_bindgen.TotalPicture} picture
   * @param {(ms: number) => number} x
   * @param {number} base
   * @param {number} right
   * @param {boolean} narrow
   */
  function rows(picture, x, base, right, narrow) {
    const line = picture.deadline;
    const several = picture.rows.length > 1;
    /** @type {Shape[]} */
    const shapes = [{ name: "line", attributes: { class: "g-axis", x1: 6, x2: round(right), y1: base, y2: base } }];
    /** The label of a tick of a row with where it stands. @param {wasm_bindgen.AxisRow} row @param {number} n */
    const box = (row, n) => {
      const tick = /** @type {wasm_bindgen.AxisTick} */ (row.ticks[n]);
      const last = n === row.ticks.length - 1;
      const text = n === 0 && !(narrow && several) ? `${tick.label} ${row.name}` : tick.label;
      const start = n === 0 ? x(tick.ms) : last ? x(tick.ms) - wide(text) : x(tick.ms) - wide(text) / 2;
      return { ms: tick.ms, text, start, end: start + wide(text) };
    };
    /** @param {{ start: number, end: number }} a @param {{ start: number, end: number }} b */
    const apart = (a, b) => a.end + 8 <= b.start || b.end + 8 <= a.start;
    const limits = picture.rows.map((row, r) => {
      const text = line?.ticks[r] ?? "";
      const at = x(line?.ms ?? 0);
      const own = { text, at, start: at - wide(text) / 2, end: at + wide(text) / 2 };
      return line && [0, row.ticks.length - 1].every((n) => apart(box(row, n), own)) ? own : undefined;
    });
    const count = picture.rows[0]?.ticks.length ?? 0;
    const kept = [...Array(count).keys()].filter((n) =>
      picture.rows.every((row, r) => {
        const limit = limits[r];
        const others = [box(row, 0), box(row, count - 1), ...(limit ? [limit] : [])];
        return n === 0 || n === count - 1 || others.every((other) => apart(box(row, n), other));
      }),
    );
    picture.rows.forEach((row, r) => {
      const y = base + 19 + 22 * r;
      for (const n of kept) {
        const { ms, text } = box(row, n);
        const anchor = n === 0 ? "start" : n === count - 1 ? "end" : "middle";
        shapes.push(...(r === 0 ? [upright("g-axis", x(ms), base, base + 5)] : []));
        shapes.push(label(n === count - 1 && r === 0 ? "k" : undefined, x(ms), y, text, anchor));
      }
      const limit = limits[r];
      shapes.push(...(limit ? [label("t-limit", limit.at, y, limit.text, "middle")] : []));
    });
    const bottom = base + 26 + 22 * (picture.rows.length - 1);
    if (!(narrow && several)) {
      return { shapes, bottom };
    }
    const names = `above: ${picture.rows[0]?.name}; below: ${picture.rows[1]?.name}`;
    return { shapes: [...shapes, label(undefined, 6, bottom + 13, names)], bottom: bottom + 20 };
  }

  /**
   * The picture of some shapes.
   *
   * @param {Shape[]} shapes
   * @param {{ title: string, desc: string, width: number, height: number }} about
   */
  function draw(shapes, { title, desc, width, height }) {
    const hatch = svg("line", { class: "g-hatch", x1: 0, x2: 0, y1: 0, y2: 6 });
    const box = { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    const view = { class: "dist", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" };
    return svg(
      "svg",
      { ...view, "aria-labelledby": "total-title total-desc" },
      svg("title", { id: "total-title" }, title),
      svg("desc", { id: "total-desc" }, desc),
      svg("defs", {}, svg("pattern", box, hatch)),
      ...shapes.map(({ name, attributes, text = "", bold = "" }) => {
        const strong = bold ? [svg("tspan", { class: "k" }, bold), text ? " " : ""] : [];
        return svg(name, attributes, ...strong, ...(text ? [text] : []));
      }),
    );
  }

  /**
   * Calls back with the width of an element, now and whenever it changes.
   *
   * @param {HTMLElement} element
   * @param {(width: number) => void} changed
   */
  function watch(element, changed) {
    let last = 0;
    new ResizeObserver(() => {
      const width = Math.floor(element.clientWidth);
      if (width > 0 && width !== last) {
        last = width;
        // What is drawn changes sizes again, which an observer may not do in its own turn.
        requestAnimationFrame(() => changed(width));
      }
    }).observe(element);
  }

  return { distribution, draw, watch };
})();
