"use strict";

/** Inputs to state, state to the core, its report to the views. */
(() => {
  const { byId } = dom;
  const { inputs } = state;
  const config = byId("config", HTMLTextAreaElement);
  const example = byId("example", HTMLSelectElement);
  /** The untouched example: the first focus selects it, so that pasting replaces it. */
  let untouched = true;
  /** Whether it has just got its first focus. */
  let fresh = false;
  /** Whether the reader changed anything: an untouched page keeps its address. */
  let changed = false;
  /** What to say about the last failure, without the text. */
  let fault = "";
  /** Whether it is that the core stopped: the next answer takes that back. */
  let stopped = false;
  /** The link of what is shown. */
  let link = "";
  /** @type {number | undefined} */
  let settling;
  /** Ends the search for the numbers that take long. */
  let slow = new AbortController();

  /**
   * Says that something went wrong; the page goes on.
   *
   * @param {string} message
   * @param {unknown} [error]
   */
  function warn(message, error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : "";
    fault = [message, stack, `${config.value.length} characters`, state.address(link), navigator.userAgent].join("\n");
    byId("banner-text").textContent = message;
    byId("banner").hidden = false;
  }

  addEventListener("error", (event) =>
    warn(`Something in this page failed: ${event.message}. Your text is still here.`),
  );
  addEventListener("unhandledrejection", (event) => warn(`Something in this page failed: ${event.reason}.`));
  document.addEventListener("securitypolicyviolation", (event) =>
    warn(`The page’s own policy stopped something: ${event.effectiveDirective}.`),
  );

  /** Asks the core about what the reader changed, and shows what it says. */
  function update() {
    changed = true;
    ask();
  }

  function ask() {
    inputs.text = config.value;
    /** @type {wasm_bindgen.Report} */
    let report;
    try {
      report = backoff.report(inputs);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "CoreStopped") {
        throw error;
      }
      console.error(error);
      warn(
        "The calculator stopped on this text and was started afresh. Your text is still here; nothing left this page.",
        error,
      );
      stopped = true;
      return;
    }
    if (stopped) {
      stopped = false;
      byId("banner").hidden = true;
    }
    const { callTime, target, limits } = report.total ?? { limits: [] };
    const assumed = [callTime, target, ...limits.map((row) => row.field)].filter((field) => field !== undefined);
    for (const field of [...report.fields, ...assumed]) {
      const typed = inputs.edits[field.key] ?? inputs.assumed[field.key];
      if (field.own && field.good && typed !== undefined) {
        inputs.held[field.key] = typed;
      }
    }
    show(report);
    slow.abort();
    slow = new AbortController();
    clearTimeout(settling);
    settling = setTimeout(() => settle(report, slow.signal), changed ? 400 : 0);
  }

  /** @param {wasm_bindgen.Report} report */
  function show(report) {
    for (const view of views) {
      view.render(report);
    }
    places.outline();
    link = report.link;
    byId("printed-link").textContent = inputs.take.address + (inputs.take.address && "#") + link;
    byId("full-page", HTMLAnchorElement).href = `${state.bare()}#${link}`;
  }

  /**
   * Once for each change, when the typing rests: the numbers that take long, the link, and what is read aloud.
   *
   * @param {wasm_bindgen.Report} report
   * @param {AbortSignal} signal
   */
  async function settle(report, signal) {
    if (changed) {
      state.remember(report.link);
    }
    if (report.fleet?.working) {
      fleetView.play(signal);
    }
    let whole = report;
    if (report.unfinished) {
      try {
        whole = await backoff.patientReport(inputs, signal);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        console.error(error);
      }
      show(whole);
    }
    if (changed) {
      byId("status").textContent = whole.answer.text;
    }
  }

  // The text.

  config.addEventListener("input", () => {
    untouched = false;
    fresh = false;
    example.value = "";
    newText();
  });
  // Some tools set a value and tell of nothing but the change.
  config.addEventListener("change", () => {
    if (config.value !== inputs.text) {
      newText();
    }
  });
  config.addEventListener("focus", () => {
    if (untouched) {
      untouched = false;
      fresh = true;
      // Later, because the browser puts the caret into the text only after it has told of the focus; a click may be faster.
      setTimeout(reselect);
    }
  });
  config.addEventListener("click", () => {
    reselect();
    fresh = false;
  });

  /** Selects the example that just got the focus, unless something was typed or selected since. */
  function reselect() {
    if (fresh && config.value === config.defaultValue && config.selectionStart === config.selectionEnd) {
      config.select();
    }
  }

  // A link into the text selects its own part.
  document.addEventListener(
    "click",
    ({ target }) => {
      untouched &&= !(target instanceof Element && target.closest("button[data-start]"));
    },
    true,
  );
  example.addEventListener("change", () => {
    const [library, n] = example.value.split(" ");
    const text = backoff.libraries().find((info) => info.id === library)?.examples[Number(n)];
    if (text !== undefined) {
      const chosen = example.value;
      insert(text.trimEnd());
      example.value = chosen;
    }
  });
  byId("reset").addEventListener("click", () => {
    state.reset();
    insert(config.defaultValue);
    untouched = true;
    example.value = "tenacity 0";
    update();
  });

  /** Puts another text into the text area, in a way that its own "undo" takes back. @param {string} text */
  function insert(text) {
    const before = document.activeElement;
    config.focus({ preventScroll: true });
    config.select();
    if (!document.execCommand(text ? "insertText" : "delete", false, text)) {
      config.value = text;
      newText();
    }
    if (before instanceof HTMLElement && before !== config) {
      before.focus({ preventScroll: true });
    }
  }

  function newText() {
    Object.assign(inputs, { choice: {}, block: 0, link: "", allRows: false });
    inputs.compare.rules = "";
    state.forgetEdits();
    update();
  }

  byId("library", HTMLSelectElement).addEventListener("change", (event) => {
    const value = /** @type {HTMLSelectElement} */ (event.target).value;
    const space = value.indexOf(" ");
    const [library, release] = space < 0 ? [value, undefined] : [value.slice(0, space), value.slice(space + 1)];
    inputs.choice = library ? { library, release } : {};
    chosen();
  });
  byId("class", HTMLSelectElement).addEventListener("change", (event) => {
    inputs.choice.errorClass = /** @type {HTMLSelectElement} */ (event.target).value;
    chosen();
  });
  byId("blocks").addEventListener("change", (event) => {
    inputs.block = Number(/** @type {HTMLInputElement} */ (event.target).value);
    chosen();
  });

  function chosen() {
    state.forgetEdits();
    update();
  }

  // The form.

  for (const part of [byId("form"), byId("total")]) {
    part.addEventListener("input", typed);
    part.addEventListener("click", picked);
    part.addEventListener("keydown", unitKey);
  }

  /** The key of the link that an element's row is about. @param {Element} element */
  const keyOf = (element) => element.closest("[data-key]")?.getAttribute("data-key") ?? "";

  /** @param {Event} event */
  function typed(event) {
    const control = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
    const key = keyOf(control);
    const start = control instanceof HTMLSelectElement ? control.selectedOptions[0]?.dataset.start : undefined;
    edit(key === "jitter-amount" ? "jitter" : key, start ?? control.value);
  }

  /**
   * @param {string} key
   * @param {string} text
   */
  function edit(key, text) {
    (state.assumes(key) ? inputs.assumed : inputs.edits)[key] = text;
    update();
  }

  /** @param {Event} event */
  function picked(event) {
    const button = event.target instanceof Element ? event.target.closest("[data-choice]") : null;
    const control = button?.closest("[data-key]")?.querySelector("input");
    if (button && control) {
      control.value = button.getAttribute("data-choice") ?? "";
      control.focus();
      edit(keyOf(button), control.value);
    }
  }

  /** @param {KeyboardEvent} event */
  function unitKey(event) {
    const control = event.target;
    if (!(control instanceof HTMLInputElement) || !control.classList.contains("ask")) {
      return;
    }
    const unit = { m: "ms", s: "s" }[event.key];
    if (unit && control.selectionStart === control.value.length && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const number = control.value.trim();
      control.value = `${number} ${unit}`;
      // Whoever goes on to type "min" types over the rest of "ms".
      control.setSelectionRange(number.length + 2, control.value.length);
      edit(keyOf(control), control.value);
    }
  }

  byId("back").addEventListener("click", () => {
    chosen();
    config.focus();
  });
  byId("jitters").addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-jitter]") : null;
    const name = button?.getAttribute("data-jitter");
    if (name) {
      edit("jitter", name);
    }
  });
  byId("rows").addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.id === "show-all") {
      inputs.allRows = true;
      update();
    }
  });

  for (const view of [findingsView, fleetView, compareView, layersView]) {
    view.listen(update);
  }
  addEventListener("beforeprint", () => {
    if (!inputs.fleet.open) {
      inputs.fleet.open = true;
      show(backoff.report({ ...inputs, patient: true }));
    }
  });

  // Taking the answer away.

  clipboard.button("banner-copy", () => fault);
  clipboard.button("copy-answer", () => byId("sentence").textContent ?? "");
  clipboard.button("copy-link", () => state.bare() + state.address(link));
  clipboard.button("copy-settings", () => link);
  byId("copy-link").hidden = location.protocol === "about:";
  byId("copy-settings").hidden = location.protocol.startsWith("http");
  takeView.listen(update);

  // The address and the theme.

  addEventListener("hashchange", () => {
    if (location.hash.includes("=")) {
      openAddress();
      update();
    } else {
      // A jump to a section; the link stays what it was.
      state.remember(link);
    }
  });

  /** Shows what the address holds. */
  function openAddress() {
    if (state.open()) {
      const { link } = inputs;
      if (config.value === config.defaultValue) {
        config.value = "";
      } else {
        insert("");
      }
      Object.assign(inputs, { link, choice: {}, block: 0 });
      untouched = false;
    }
    dress();
  }

  function dress() {
    const root = document.documentElement;
    root.toggleAttribute("data-embed", state.embed);
    root.dataset.theme = state.theme;
    byId("theme", HTMLSelectElement).value = state.theme;
    if (state.embed) {
      byId("form", HTMLDetailsElement).open = false;
    }
  }

  byId("theme", HTMLSelectElement).addEventListener("change", (event) => {
    state.theme = /** @type {HTMLSelectElement} */ (event.target).value;
    dress();
    update();
  });

  async function start() {
    if (typeof backoff === "undefined") {
      byId("unbuilt").hidden = false;
      return;
    }
    state.look();
    dress();
    try {
      await backoff.ready;
    } catch (error) {
      console.error(error);
      byId("unable").hidden = false;
      return;
    }
    openAddress();
    for (const part of document.querySelectorAll(".needs-script")) {
      part.removeAttribute("hidden");
    }
    for (const info of backoff.libraries()) {
      info.examples.forEach((_, n) => {
        example.append(new Option(n === 0 ? info.title : `${info.title}, ${n + 1}`, `${info.id} ${n}`));
      });
    }
    example.value = untouched ? "tenacity 0" : "";
    ask();
    // For whoever measures how soon the first answer is there.
    performance.mark("answered");
  }

  start();
})();
