"use strict";

/** Places of the text: links that lead into it, and what was read at the caret. */
const places = (() => {
  const { byId } = dom;
  const config = byId("config", HTMLTextAreaElement);

  /** The link that led into the text. @type {HTMLElement | null} */
  let ledBy = null;

  document.addEventListener("click", (event) => {
    const source = event.target instanceof Element ? event.target.closest("button[data-start]") : null;
    if (source instanceof HTMLElement) {
      config.focus();
      config.setSelectionRange(Number(source.dataset.start), Number(source.dataset.end));
      marksAt(source)[0]?.scrollIntoView({ block: "nearest" });
      ledBy = source;
    }
  });
  config.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && ledBy?.isConnected) {
      event.preventDefault();
      ledBy.focus();
    }
    ledBy = null;
  });
  document.addEventListener("selectionchange", outline);
  for (const [type, on] of /** @type {const} */ ([
    ["pointerover", true],
    ["focusin", true],
    ["pointerout", false],
    ["focusout", false],
  ])) {
    document.addEventListener(type, (event) => {
      const source = event.target instanceof Element ? event.target.closest("button[data-start]") : null;
      for (const mark of source ? marksAt(source) : []) {
        mark.classList.toggle("on", on);
      }
    });
  }

  /** The marks inside the place of a source link. @param {Element} source */
  function marksAt(source) {
    const start = Number(source.getAttribute("data-start"));
    const end = Number(source.getAttribute("data-end"));
    return [...byId("marks").querySelectorAll("mark")].filter(
      (mark) => Number(mark.dataset.start) < end && start < Number(mark.dataset.end),
    );
  }

  /** Outlines the source links of the place that the caret stands in, and the marks there. */
  function outline() {
    const at = document.activeElement === config ? config.selectionStart : -1;
    for (const part of document.querySelectorAll("button[data-start], .marks mark")) {
      const start = Number(part.getAttribute("data-start"));
      const end = Number(part.getAttribute("data-end"));
      part.classList.toggle("on", start <= at && at < end);
    }
  }

  return { outline };
})();
