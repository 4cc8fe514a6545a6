"use strict";

/** What was recognised: the library, how sure, the blocks to choose from. */
const readerView = (() => {
  const { byId, el, words, rebuild } = dom;

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const readAs = report.readAs;
    byId("readas").hidden = !readAs;
    if (readAs) {
      const library = byId("library", HTMLSelectElement);
      rebuild(library, readAs.groups, () =>
        readAs.groups.flatMap((group) => {
          const options = group.options.map((option) => el("option", { value: option.value }, option.text));
          return group.label ? [el("optgroup", { label: group.label }, ...options)] : options;
        }),
      );
      library.value = readAs.chosen;
      byId("class-field").hidden = readAs.classes.length === 0;
      const select = byId("class", HTMLSelectElement);
      rebuild(select, readAs.classes, () => readAs.classes.map((name) => el("option", {}, name)));
      select.value = readAs.class;
    }
    byId("why").replaceChildren(...words(readAs?.why ?? []));
    blocks(report);
  }

  /** @param {wasm_bindgen.Report} report */
  function blocks(report) {
    const box = byId("blocks");
    box.hidden = report.blocks.length === 0;
    rebuild(box, report.blocks, () => [
      el("legend", {}, `${report.blockCount} retry blocks in this text`),
      ...report.blocks.map((block, n) =>
        el(
          "label",
          {},
          el("input", { type: "radio", name: "block", value: String(n) }),
          el("span", {}, el("strong", {}, block.label), `, ${block.place}`),
          el("span", { class: "short" }, block.answer),
        ),
      ),
    ]);
    for (const radio of box.querySelectorAll("input")) {
      radio.checked = radio.value === String(report.block);
    }
  }

  return { id: "reader", render };
})();
