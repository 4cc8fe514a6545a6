"use strict";

/** Copying, and what stands in for it where the browser refuses the clipboard: from disk, in sandboxed frames. */
const clipboard = (() => {
  const { byId } = dom;

  /**
   * Copies, and says on the button what was copied.
   *
   * @param {HTMLButtonElement} button named "Copy …"
   * @param {string | Blob} what a text, or a picture
   * @returns {Promise<boolean>} whether the browser let it
   */
  async function copy(button, what) {
    const name = button.textContent ?? "";
    try {
      if (typeof what === "string") {
        await navigator.clipboard.writeText(what);
      } else {
        await navigator.clipboard.write([new ClipboardItem({ [what.type]: what })]);
      }
    } catch {
      return false;
    }
    const done = name.replace("Copy", "Copied");
    button.textContent = done;
    byId("status").textContent = done;
    setTimeout(() => {
      if (button.textContent === done) {
        button.textContent = name;
      }
    }, 2000);
    return true;
  }

  /**
   * Hears a button that copies a short text; where that is refused, the text stands selected below it.
   *
   * @param {string} id
   * @param {() => string} text
   */
  function button(id, text) {
    const button = byId(id, HTMLButtonElement);
    button.addEventListener("click", async () => {
      const refused = !(await copy(button, text()));
      byId("copied").hidden = !refused;
      if (refused) {
        const box = byId("copy-text", HTMLInputElement);
        box.value = text();
        box.focus();
        box.select();
      }
    });
  }

  return { copy, button };
})();
