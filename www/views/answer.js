"use strict";

/** The answer: the sentence, the large number, what stands beside it. */
const answerView = (() => {
  const { byId, el, words, quantity } = dom;

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const answer = report.answer;
    byId("sentence").replaceChildren(...words(answer.sentence));
    byId("strip").replaceChildren(...words(answer.brief));
    byId("figures").hidden = !answer.figure;
    byId("copy").hidden = !answer.figure;
    const worst = byId("worst", HTMLOutputElement);
    worst.replaceChildren(...(answer.figure ? quantity(answer.figure.value) : []));
    worst.classList.toggle("words", answer.figure?.words ?? false);
    worst.classList.toggle("long", (answer.figure?.value.text.length ?? 0) > 8);
    byId("beside").replaceChildren(
      ...answer.beside.map((figure) =>
        el("div", {}, el("dt", {}, figure.label), el("dd", {}, ...quantity(figure.value))),
      ),
    );
    byId("sum").replaceChildren(...words(answer.sum));
  }

  return { id: "answer", render };
})();
