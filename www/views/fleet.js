"use strict";

/** Many callers with the policy: the fields, the sentence, and the working below it. */
const fleetView = (() => {
  const { byId, el, svg, words, quantity, rebuild, folds } = dom;
  const { inputs } = state;
  const working = byId("fleet-working", HTMLDetailsElement);
  /** Ends the play under way. */
  let playing = new AbortController();
  /** What was played out last. @type {wasm_bindgen.Picture | undefined} */
  let picture;

  /** @param {wasm_bindgen.Report} report */
  function render(report) {
    const fleet = report.fleet;
    byId("fleet").hidden = !fleet;
    if (!fleet) {
      return;
    }
    for (const field of fleet.fields) {
      show(field);
    }
    byId("fleet-lead").replaceChildren(...words(fleet.lead));
    working.open = inputs.fleet.open;
    const parts = fleet.working;
    byId("fleet-parts").hidden = !parts;
    if (parts) {
      rounds(parts.rounds);
      paragraphs("fleet-remarks", parts.remarks);
      paragraphs("fleet-minute", [parts.minute]);
      paragraphs("fleet-said-demand", parts.demand);
      paragraphs("fleet-said-hint", parts.hint);
      byId("fleet-played").hidden = parts.unplayed.length > 0;
      paragraphs("fleet-unplayed", [parts.unplayed]);
    }
  }

  /** @param {wasm_bindgen.FleetField} field */
  function show(field) {
    const control = /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(`fleet-${field.key}`));
    if (control !== document.activeElement && control.value !== field.value) {
      control.value = field.value;
    }
    const box = control.closest(".field");
    if (box instanceof HTMLElement) {
      box.hidden = !field.used;
    }
    if (control instanceof HTMLInputElement) {
      control.toggleAttribute("aria-invalid", false);
      if (field.problem) {
        control.setAttribute("aria-invalid", "true");
      }
      const problem = byId(`fleet-problem-${field.key}`);
      problem.textContent = field.problem;
      problem.hidden = !field.problem;
    }
  }

  /**
   * @param {string} id
   * @param {wasm_bindgen.Words[]} said
   */
  function paragraphs(id, said) {
    const filled = said.filter((runs) => runs.length > 0);
    byId(id).hidden = filled.length === 0;
    rebuild(byId(id), filled, () => filled.map((runs) => el("p", {}, ...words(runs))));
  }

  /** @param {wasm_bindgen.Rounds} rounds */
  function rounds(rounds) {
    byId("fleet-against").textContent = rounds.against;
    byId("fleet-axis", SVGElement).replaceChildren(
      ...rounds.axis.ticks.map((tick) =>
        svg("text", { x: `${tick.at}%`, y: 13, "text-anchor": tick.at === 0 ? "start" : "middle" }, tick.label),
      ),
      ...(rounds.axis.cap
        ? [
            svg(
              "text",
              { x: `${rounds.axis.cap.at}%`, y: 13, "text-anchor": "middle", class: "t-cap" },
              rounds.axis.cap.label,
            ),
          ]
        : []),
    );
    byId("fleet-rounds").replaceChildren(...rounds.rows.map((row) => round(row, rounds.axis)));
    const rest = byId("fleet-rest");
    rest.textContent = rounds.rest;
    rest.hidden = !rounds.rest;
  }

  /**
   * @param {wasm_bindgen.RoundRow} row
   * @param {wasm_bindgen.Axis} axis
   */
  function round(row, axis) {
    const upright = { y1: 0, y2: "100%" };
    const bar = { x: 0, width: `${row.to}%`, y: "50%", height: 14, transform: "translate(0 -7)" };
    const picture = [
      ...axis.ticks
        .filter(({ at }) => at > 0)
        .map(({ at }) => svg("line", { class: "g-grid", x1: `${at}%`, x2: `${at}%`, ...upright })),
      svg("rect", { class: "g-bar", ...bar }),
      ...(axis.cap ? [svg("line", { class: "g-cap", x1: `${axis.cap.at}%`, x2: `${axis.cap.at}%`, ...upright })] : []),
    ];
    return el(
      "tr",
      { role: "row" },
      el("th", { role: "rowheader", scope: "row" }, row.round),
      el("td", { role: "cell", class: "n" }, ...quantity(row.window)),
      el("td", { role: "cell", class: "pic" }, svg("svg", { "aria-hidden": "true", focusable: "false" }, ...picture)),
      el("td", { role: "cell", class: "n" }, ...quantity(row.rate)),
      el("td", { role: "cell", class: row.fits ? "verdict" : "verdict no" }, mark(row.fits), row.verdict),
      el("td", { role: "cell", class: "wide quiet" }, ...words(row.how)),
    );
  }

  /** A check mark, or a crossed circle. @param {boolean} fits */
  function mark(fits) {
    const line = { fill: "none", stroke: "currentColor" };
    const shapes = fits
      ? [svg("path", { d: "m1.5 7.6 3.6 3.6 7.4-8.4", "stroke-width": 2, ...line })]
      : [
          svg("circle", { cx: 7, cy: 7, r: 5.6, "stroke-width": 1.6, ...line }),
          svg("path", { d: "m4.4 4.4 5.2 5.2m0-5.2-5.2 5.2", "stroke-width": 1.6, ...line }),
        ];
    return svg(
      "svg",
      { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true", focusable: "false" },
      ...shapes,
    );
  }

  /**
   * Plays the fleet out beside the page, and shows what comes of it.
   *
   * @param {AbortSignal} signal ends it when there is something newer to play
   */
  async function play(signal) {
    playing.abort();
    playing = new AbortController();
    const either = AbortSignal.any([signal, playing.signal]);
    const progress = byId("fleet-progress", HTMLProgressElement);
    progress.value = 0;
    // What is there at once needs no progress.
    const slow = setTimeout(() => busy(true), 200);
    try {
      const played = await backoff.fleetPlay(inputs, either, (share) => {
        progress.value = share;
      });
      if (played) {
        result(played);
        byId("fleet-status").textContent = byId("fleet-busy").hidden ? "" : "The simulation is done.";
      }
    } catch (error) {
      if (!either.aborted) {
        throw error;
      }
    } finally {
      clearTimeout(slow);
      if (!signal.aborted) {
        busy(false);
      }
    }
  }

  /** @param {boolean} on */
  function busy(on) {
    byId("fleet-busy").hidden = !on;
    byId("fleet-again").hidden = on;
    if (on) {
      byId("fleet-status").textContent = "Simulating.";
    }
  }

  /** @param {wasm_bindgen.FleetPlay} played */
  function result(played) {
    byId("fleet-figure").hidden = false;
    byId("fleet-outcome").replaceChildren(...words(played.outcome));
    byId("fleet-first").replaceChildren(...words(played.first));
    byId("fleet-runs").replaceChildren(...words(played.runs));
    byId("fleet-note").replaceChildren(...words(played.note));
    const drawn = shown();
    byId("fleet-jitters").replaceChildren(...played.rows.map((row) => jitter(row, drawn)));
    byId("fleet-picture").replaceChildren(arrivalsPicture(played.picture));
    draw();
    picture = played.picture;
    byId("fleet-picture").dispatchEvent(new Event("drawn"));
  }

  /** The other jitters that the reader wants to see. @returns {Set<string>} */
  function shown() {
    const checked = byId("fleet-jitters").querySelectorAll("input:checked");
    return new Set([...checked].map((box) => box.getAttribute("value") ?? ""));
  }

  /**
   * @param {wasm_bindgen.FleetRow} row
   * @param {Set<string>} drawn
   */
  function jitter(row, drawn) {
    const key = svg(
      "svg",
      { class: "key-line", width: 28, height: 4, "aria-hidden": "true", focusable: "false" },
      svg("line", { class: row.own ? "g-line" : `g-${row.id}`, x1: 0, x2: 28, y1: 2, y2: 2 }),
    );
    const name = row.own ? el("strong", {}, row.name) : row.name;
    const box = el("input", { type: "checkbox", value: row.id });
    box.checked = drawn.has(row.id);
    const asked = !row.own && row.id !== "none";
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, asked ? el("label", {}, box, key, name) : el("span", {}, key, name)),
      el("td", { class: "n" }, ...quantity(row.mean)),
      el("td", { class: "n" }, row.calls),
      el("td", { class: "n" }, row.busiest),
      el("td", { class: "n" }, ...quantity(row.last)),
      el("td", { class: "n" }, row.gaveUp),
    );
  }

  /** Shows the lines of the jitters that are asked for. */
  function draw() {
    const drawn = shown();
    for (const line of byId("fleet-picture").querySelectorAll("[data-jitter]")) {
      line.toggleAttribute("hidden", !drawn.has(line.getAttribute("data-jitter") ?? ""));
    }
  }

  /**
   * Hears what the reader does with the fleet.
   *
   * @param {() => void} update asks for the report anew
   */
  function listen(update) {
    const section = byId("fleet");
    section.addEventListener("input", (event) => {
      const control = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
      if (control.value && control.closest("#fleet-jitters")) {
        draw();
      } else if (control.id.startsWith("fleet-")) {
        const checkbox = control instanceof HTMLInputElement && control.type === "checkbox";
        inputs.fleet.typed[control.id.slice(6)] = checkbox && !control.checked ? "" : control.value;
        update();
      }
    });
    folds(working, () => inputs.fleet, update);
    byId("fleet-again").addEventListener("click", () => {
      inputs.fleet.typed.seed = String(crypto.getRandomValues(new BigUint64Array(1))[0]);
      update();
    });
    byId("fleet-cancel").addEventListener("click", cancel);
    section.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !byId("fleet-busy").hidden) {
        cancel();
      }
    });
  }

  function cancel() {
    playing.abort();
    // What is there is of an earlier fleet.
    picture = undefined;
    byId("fleet-figure").hidden = true;
    for (const id of ["fleet-jitters", "fleet-first", "fleet-runs"]) {
      byId(id).replaceChildren();
    }
    byId("fleet-again").hidden = false;
    byId("fleet-again").focus();
    byId("fleet-status").textContent = "The simulation was cancelled.";
  }

  return { id: "fleet", render, play, listen, picture: () => picture };
})();
