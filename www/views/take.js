"use strict";

/** The answer in other forms: shown as it will be, copied, or saved as a file. */
const takeView = (() => {
  const { byId, el, words, rebuild, folds } = dom;
  const { inputs } = state;
  const panel = byId("take-panel", HTMLDetailsElement);
  const formats = byId("take-formats");
  const text = byId("take-text");
  const copy = byId("take-copy", HTMLButtonElement);
  const image = byId("take-image", HTMLImageElement);
  /** What is shown. @type {wasm_bindgen.Report | undefined} */
  let shown;
  /** What is copied and saved. @type {string | Blob} */
  let content = "";
  // A frame without an origin is a sandboxed one, where saving does nothing unless the host allows it.
  const sandboxed = parent !== window && origin === "null";

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    shown = report;
    byId("take").hidden = !report.link;
    panel.open = inputs.take.open;
    const part = report.take;
    if (!part) {
      return;
    }
    const drawn = ["svg", "png"].includes(inputs.take.format);
    byId("take-of-field").hidden = !drawn;
    byId("take-theme-field").hidden = inputs.take.format !== "embed";
    byId("take-note").replaceChildren(...words(part.note));
    byId("take-save").hidden = sandboxed;
    byId("take-library-field").hidden = part.targets.length === 0;
    const library = byId("take-library", HTMLSelectElement);
    rebuild(library, part.targets, () => part.targets.map(({ value, text }) => el("option", { value }, text)));
    library.value = part.target;
    byId("take-losses").replaceChildren(...part.losses.map((loss) => el("li", {}, ...words(loss))));
    byId("take-losses").hidden = part.losses.length === 0;
    text.hidden = drawn;
    if (drawn) {
      copy.disabled = false;
      // A picture for every key that is pressed would be too many.
      if (!report.unfinished) {
        draw();
      }
      return;
    }
    image.hidden = true;
    byId("take-none").hidden = true;
    // A text whose numbers are still looked for: the old one stays, greyed.
    const later = !part.text && part.losses.length === 0;
    text.classList.toggle("stale", later);
    text.hidden = part.losses.length > 0 && !part.text;
    copy.disabled = text.hidden;
    if (!later && part.text !== content) {
      content = part.text;
      write(part.text);
      byId("take-refused").hidden = true;
    }
  }

  /**
   * Shows a text. What is selected of a carriage return would be a second end of line.
   *
   * @param {string} lines
   */
  function write(lines) {
    text.textContent = lines.replaceAll("\r", "");
  }

  /** Draws the picture that is asked for. */
  async function draw() {
    const of = byId("take-of", HTMLSelectElement).value;
    const picture = shown && drawing(of, shown);
    image.hidden = !picture;
    byId("take-none").hidden = Boolean(picture);
    if (!picture) {
      return;
    }
    image.alt = picture.about;
    image.width = picture.width;
    image.height = picture.height;
    if (inputs.take.format === "svg") {
      content = picture.source;
      image.src = pictures.address(picture);
    } else {
      const blob = await pictures.png(picture);
      URL.revokeObjectURL(image.src);
      content = blob;
      image.src = URL.createObjectURL(blob);
    }
  }

  /**
   * @param {string} of
   * @param {wasm_bindgen.Report} report
   */
  function drawing(of, report) {
    if (of === "schedule") {
      return report.table && pictures.schedule(report.table);
    }
    if (of === "total") {
      return report.total?.picture && pictures.total(report.total.picture);
    }
    const picture = fleetView.picture();
    return picture && pictures.fleet(picture);
  }

  /** Where the clipboard is refused, the text is selected instead. */
  async function take() {
    const refused = !(await clipboard.copy(copy, content));
    byId("take-refused").hidden = !refused || content instanceof Blob;
    byId("take-refused-picture").hidden = !refused || !(content instanceof Blob);
    if (refused && !(content instanceof Blob)) {
      text.hidden = false;
      write(content);
      text.focus();
      getSelection()?.selectAllChildren(text);
    }
  }

  function save() {
    const part = shown?.take;
    if (part) {
      const file = content instanceof Blob ? content : new Blob([content], { type: part.media });
      const link = el("a", { href: URL.createObjectURL(file), download: part.file });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }
  }

  /**
   * Hears what the reader wants to take.
   *
   * @param {() => void} update asks for the report anew
   */
  function listen(update) {
    folds(panel, () => inputs.take, update);
    formats.addEventListener("change", (event) => {
      const radio = /** @type {HTMLInputElement} */ (event.target);
      inputs.take.format = radio.value;
      const name = radio.dataset.name ?? "";
      copy.textContent = `Copy the ${name}`;
      text.setAttribute("aria-label", radio.labels?.[0]?.textContent?.trim() ?? name);
      byId("take-refused").hidden = true;
      byId("take-refused-picture").hidden = true;
      update();
    });
    byId("take-of").addEventListener("change", (event) => {
      const fleet = /** @type {HTMLSelectElement} */ (event.target).value === "fleet";
      inputs.fleet.open ||= fleet;
      update();
    });
    byId("take-library").addEventListener("change", (event) => {
      inputs.take.library = /** @type {HTMLSelectElement} */ (event.target).value;
      update();
    });
    byId("take-theme").addEventListener("change", (event) => {
      inputs.take.theme = /** @type {HTMLSelectElement} */ (event.target).value;
      update();
    });
    // A fleet is played beside the page and comes later.
    byId("fleet-picture").addEventListener("drawn", () => {
      if (inputs.take.open && ["svg", "png"].includes(inputs.take.format)) {
        draw();
      }
    });
    copy.addEventListener("click", take);
    byId("take-save").addEventListener("click", save);
  }

  return { id: "take", render, listen };
})();
