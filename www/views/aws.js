"use strict";

/** The experiment of 2015, played when it is asked for. */
(() => {
  const { byId, el, words, quantity } = dom;
  let playing = new AbortController();

  async function run() {
    playing = new AbortController();
    const progress = byId("aws-progress", HTMLProgressElement);
    progress.value = 0;
    busy(true);
    try {
      const seed = String(crypto.getRandomValues(new BigUint64Array(1))[0]);
      result(
        await backoff.awsExperiment(seed, playing.signal, (share) => {
          progress.value = share;
        }),
      );
    } catch (error) {
      if (!playing.signal.aborted) {
        throw error;
      }
    } finally {
      busy(false);
    }
  }

  /** @param {boolean} on */
  function busy(on) {
    byId("aws-busy").hidden = !on;
    byId("aws-run").hidden = on;
  }

  /** @param {wasm_bindgen.AwsResult} result */
  function result(result) {
    byId("aws-said").replaceChildren(...words(result.said));
    byId("aws-note").replaceChildren(...words(result.note));
    byId("aws-result").hidden = false;
    const heads = result.strategies.map((name) => el("th", { scope: "col", class: "n" }, name));
    byId("aws-head").replaceChildren(el("th", { scope: "col" }, "Clients"), ...heads);
    byId("aws-rows").replaceChildren(
      ...result.rows.map((row) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, row.clients),
          ...row.cells.map((cell) =>
            el(
              "td",
              { class: "n" },
              cell.fewest ? el("strong", {}, cell.calls) : cell.calls,
              el("span", { class: "time" }, ...quantity(cell.time)),
            ),
          ),
        ),
      ),
    );
  }

  byId("aws-run").addEventListener("click", run);
  byId("aws-cancel").addEventListener("click", () => playing.abort());
})();
