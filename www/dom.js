"use strict";

/** Elements from what the core words. Nothing here formats a number. */
const dom = (() => {
  /**
   * The element with this id, which the page's markup holds.
   *
   * @template {typeof HTMLElement | typeof SVGElement} [T=typeof HTMLElement]
   * @param {string} id
   * @param {T} [type]
   * @returns {InstanceType<T>}
   */
  function byId(id, type) {
    const found = document.getElementById(id);
    if (!(found instanceof (type ?? HTMLElement))) {
      throw new Error(`the page has no #${id}`);
    }
    return /** @type {InstanceType<T>} */ (/** @type {unknown} */ (found));
  }

  /**
   * A new element.
   *
   * @template {keyof HTMLElementTagNameMap} N
   * @param {N} name
   * @param {Record<string, string | undefined>} [attributes] left out where undefined
   * @param {...(Node | string)} children
   * @returns {HTMLElementTagNameMap[N]}
   */
  function el(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
  }

  /**
   * A new SVG element.
   *
   * @param {string} name
   * @param {Record<string, string | number | undefined>} [attributes]
   * @param {...(Node | string)} children
   * @returns {SVGElement}
   */
  function svg(name, attributes = {}, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  }

  /**
   * @template {Element} E
   * @param {E} element
   * @param {Record<string, string | number | undefined>} attributes
   * @param {(Node | string)[]} children
   * @returns {E}
   */
  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) {
        element.setAttribute(name, String(value));
      }
    }
    element.append(...children);
    return element;
  }

  /**
   * A sentence of the core.
   *
   * @param {wasm_bindgen.Words} runs
   * @returns {Node[]}
   */
  function words(runs) {
    return runs.map((run) => {
      /** @type {Node} */
      let node = document.createTextNode(run.text);
      if (run.span) {
        node = sourceLink(run.text, run.span);
      } else if (run.look === "code") {
        node = el("code", {}, node);
      } else if (run.look) {
        node = el("span", { class: run.look === "whole" ? "q" : "tag" }, node);
      }
      return run.strong ? el("strong", {}, node) : node;
    });
  }

  /**
   * A button that selects a part of the text.
   *
   * @param {string} text
   * @param {wasm_bindgen.Span} span
   */
  function sourceLink(text, span) {
    const place = { "data-start": String(span.start), "data-end": String(span.end) };
    return el("button", { type: "button", class: "link", ...place }, text);
  }

  /**
   * A number with its unit set apart.
   *
   * @param {wasm_bindgen.Quantity} quantity
   * @returns {Node[]}
   */
  function quantity(quantity) {
    return quantity.parts.flatMap((part, n) => {
      const number = document.createTextNode((n > 0 ? " " : "") + part.number);
      return part.unit ? [number, el("span", { class: "u" }, ` ${part.unit}`)] : [number];
    });
  }

  /** @type {WeakMap<Element, string>} */
  const built = new WeakMap();

  /**
   * Builds the children of an element anew, unless they would be the same: what has focus keeps it.
   *
   * @param {Element} element
   * @param {unknown} from what the children are made from
   * @param {() => (Node | string)[]} build
   */
  function rebuild(element, from, build) {
    const key = JSON.stringify(from);
    if (built.get(element) !== key) {
      built.set(element, key);
      element.replaceChildren(...build());
    }
  }

  /**
   * Keeps in the page's inputs whether a panel is open. The click counts at once and not when the browser tells of it:
   * what is drawn in between would fold the panel back.
   *
   * @param {HTMLDetailsElement} details
   * @param {() => { open?: boolean }} input
   * @param {() => void} update asks for the report anew
   */
  function folds(details, input, update) {
    const told = () => {
      if (details.open !== (input().open ?? false)) {
        input().open = details.open;
        update();
      }
    };
    details.querySelector("summary")?.addEventListener("click", (event) => {
      event.preventDefault();
      details.open = !details.open;
      told();
    });
    details.addEventListener("toggle", told);
  }

  return { byId, el, svg, words, quantity, sourceLink, rebuild, folds };
})();
