"use strict";

/** The page's pictures as files of their own: one width, colours and fonts inside, nothing of the page needed. */
const pictures = (() => {
  const { svg, el } = dom;
  const WIDTH = 904;
  /** Room around a picture. */
  const EDGE = 12;
  /** The height of a row of the schedule. */
  const ROW = 30;

  /** What the style sheet says of a shape, with what is so without it. */
  const LOOK = {
    fill: "rgb(0, 0, 0)",
    "fill-opacity": "1",
    stroke: "none",
    "stroke-width": "1px",
    "stroke-opacity": "1",
    "stroke-dasharray": "none",
    "stroke-linejoin": "miter",
    "paint-order": "normal",
    "vector-effect": "none",
    "font-weight": "400",
  };

  /**
   * A picture as a file.
   *
   * @typedef {{ source: string, width: number, height: number, about: string }} Alone
   */

  /**
   * The schedule: each row with its numbers.
   *
   * @param {wasm_bindgen.Table} table
   */
  function schedule(table) {
    const [left, bars] = [76, 430];
    const columns = [590, 680, 770, WIDTH];
    const heads = [...document.querySelectorAll(".sched thead th")].map((head) => head.textContent ?? "");
    /** @param {number} x @param {number} y @param {string} text @param {string} look */
    const right = (x, y, text, look) => svg("text", { x, y, "text-anchor": "end", class: look }, text);
    /** @param {number} y @param {string} name @param {string[]} cells @param {string} look */
    const line = (y, name, cells, look) => [
      svg("text", { x: 0, y: y + 19, class: look }, name),
      ...cells.map((cell, n) => right(columns[n] ?? WIDTH, y + 19, cell, look)),
      svg("line", { class: "g-grid", x1: 0, x2: WIDTH, y1: y, y2: y }),
    ];
    /** @param {Element} picture @param {number} y */
    const place = (picture, y) => {
      for (const [name, value] of Object.entries({ x: left, y, width: bars, height: ROW })) {
        picture.setAttribute(name, String(value));
      }
      return picture;
    };
    let y = 24;
    const parts = [
      place(svg("svg", {}, ...scheduleView.labels(table.axis)), 0),
      svg("text", { x: 0, y: 13 }, heads[0] ?? ""),
      ...columns.map((x, n) => right(x, 13, heads[n + 2] ?? "", "")),
    ];
    /** @param {wasm_bindgen.Row} row */
    const wait = (row) => {
      const cells = [row.min, row.max, row.mean, row.soFar].map((value) => value.text);
      parts.push(...line(y, row.attempt, cells, "v"), place(scheduleView.picture(row, table.axis), y));
      y += ROW;
    };
    table.rows.forEach(wait);
    if (table.fold) {
      parts.push(...line(y, table.fold.text, [], ""));
      y += ROW;
    }
    table.last.forEach(wait);
    const { min, max, mean } = table.total;
    parts.push(
      ...line(y, "Total", table.total.always ? ["", "", "", max.text] : [min, max, mean, max].map((v) => v.text), "k"),
    );
    return alone(svg("svg", { class: "dist pic" }, ...parts), y + ROW, "Schedule");
  }

  /** The distribution of the total. @param {wasm_bindgen.TotalPicture} picture */
  function total(picture) {
    const { shapes, height } = plot.distribution(picture, WIDTH);
    return alone(plot.draw(shapes, { ...picture, width: WIDTH, height }), height, picture.title);
  }

  /** The arrivals of the fleet. @param {wasm_bindgen.Picture} picture */
  function fleet(picture) {
    const drawn = arrivalsPicture(picture);
    return alone(drawn, Number(drawn.getAttribute("height")), picture.title, 40);
  }

  /**
   * @param {SVGElement} drawn
   * @param {number} height
   * @param {string} about
   * @param {number} [left] room for the numbers of an axis
   * @returns {Alone}
   */
  function alone(drawn, height, about, left = 0) {
    for (const [name, value] of Object.entries({
      x: EDGE + left,
      y: EDGE,
      width: WIDTH,
      height,
      overflow: "visible",
    })) {
      drawn.setAttribute(name, String(value));
    }
    drawn.removeAttribute("viewBox");
    const [wide, high] = [WIDTH + left + 2 * EDGE, Math.ceil(height) + 2 * EDGE];
    const ground = svg("rect", { class: "ground", width: wide, height: high });
    const box = { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, "font-family": "system-ui, sans-serif" };
    const whole = svg("svg", { ...box, "font-size": 13 }, ground, drawn);
    // Styles are known only of what is in the page.
    const holder = el("div", { class: "vh", "aria-hidden": "true" }, whole);
    document.body.append(holder);
    for (const part of drawn.querySelectorAll("[hidden]")) {
      part.remove();
    }
    for (const part of whole.querySelectorAll("rect, path, line, circle, text, tspan")) {
      const style = getComputedStyle(part);
      for (const [name, usual] of Object.entries(LOOK)) {
        const value = style.getPropertyValue(name);
        if (value !== usual && !value.includes("url(")) {
          part.setAttribute(name, value);
        }
      }
    }
    holder.remove();
    for (const part of whole.querySelectorAll("[class]")) {
      part.removeAttribute("class");
    }
    return { source: new XMLSerializer().serializeToString(whole), width: wide, height: high, about };
  }

  /** A picture as an address that an image can have. @param {Alone} picture */
  function address(picture) {
    return `data:image/svg+xml,${encodeURIComponent(picture.source)}`;
  }

  /**
   * A picture in pixels, twice as many as it is wide unless that is more than browsers paint.
   *
   * @param {Alone} picture
   * @returns {Promise<Blob>}
   */
  async function png(picture) {
    const image = new Image(picture.width, picture.height);
    image.src = address(picture);
    await image.decode();
    const scale = Math.min(2, 16_000 / picture.height);
    const canvas = el("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done, failed) => {
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large"))), "image/png");
    });
  }

  return { schedule, total, fleet, address, png };
})();
