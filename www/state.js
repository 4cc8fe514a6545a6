"use strict";

/** The state of the inputs, and the part of it that the link holds. The pasted text is never in the link. */
const state = (() => {
  /**
   * @type {Required<wasm_bindgen.Request> & {
   *   fleet: Required<wasm_bindgen.FleetRequest>,
   *   compare: Required<wasm_bindgen.CompareRequest>,
   *   layers: Required<wasm_bindgen.LayersRequest>,
   *   take: Required<wasm_bindgen.TakeRequest>,
   * }}
   */
  const inputs = {
    text: "",
    choice: {},
    block: 0,
    link: "",
    taken: "",
    edits: {},
    assumed: {},
    held: {},
    allRows: false,
    patient: false,
    fleet: { typed: {}, open: false, nowUnixMs: Date.now() },
    compare: { open: false, text: "", link: "", rules: "", key: "", value: "" },
    layers: { open: false, list: "", count: "", text: "" },
    take: { open: false, format: "summary", address: "", theme: "", library: "" },
  };
  // From disk and in a frame that is a text there is no address that others could open.
  inputs.take.address = /^https?:/.test(location.protocol) ? bare() : "";
  const untouched = structuredClone(inputs);
  let embed = false;
  let theme = "";

  /** The page's own address, without what it is told. */
  function bare() {
    return location.href.replace(/#.*/s, "");
  }

  /** What the page is told, by its address; a frame that is a text has none, and is told by its name. */
  function told() {
    return location.protocol === "about:" ? window.name : location.hash.slice(1);
  }

  /** Takes over what the address says of the page itself. */
  function look() {
    const said = new URLSearchParams(told());
    embed = said.get("embed") === "1";
    theme = ["light", "dark"].find((name) => name === said.get("theme")) ?? "";
  }

  /** Takes over what the address says. Returns whether it holds a policy. */
  function open() {
    look();
    const said = new URLSearchParams(told());
    const keys = backoff.linkKeys();
    /** @param {string[]} names */
    const of = (names) => Object.fromEntries([...said].filter(([key]) => names.includes(key)));
    const ours = Object.values(keys).flat();
    const policy = told().includes("=") && [...said.keys()].some((key) => !ours.includes(key));
    inputs.assumed = of(keys.assumed);
    inputs.fleet.typed = of(keys.fleet);
    const all = said.has("all");
    inputs.fleet.open = all || Object.keys(inputs.fleet.typed).length > 0;
    inputs.take.open = all;
    const second = { link: raw("with"), text: "", rules: "", key: "", value: "" };
    Object.assign(inputs.compare, second, { open: all || said.has("with") });
    Object.assign(inputs.layers, { list: raw("layers"), open: all || said.has("layers") });
    inputs.link = policy ? told() : "";
    return policy;
  }

  /**
   * The text of a key that holds a policy: a plus in it is a plus.
   *
   * @param {string} key
   */
  function raw(key) {
    const pair = told()
      .split("&")
      .find((pair) => pair.startsWith(`${key}=`));
    const text = pair?.slice(key.length + 1) ?? "";
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /**
   * What stands behind the page's address for a policy.
   *
   * @param {string} link the policy, as the core writes it; empty: none
   */
  function address(link) {
    const parts = [link, embed ? "embed=1" : "", theme ? `theme=${theme}` : ""];
    return `#${parts.filter(Boolean).join("&")}`;
  }

  /**
   * Puts the policy into the address.
   *
   * @param {string} link
   */
  function remember(link) {
    try {
      history.replaceState(null, "", address(link));
    } catch {
      // A frame without an address of its own has no link to keep.
    }
  }

  /**
   * Whether a key is of what is assumed beside the policy: the time of a call, a limit, a time to meet.
   *
   * @param {string} key
   */
  function assumes(key) {
    return backoff.linkKeys().assumed.includes(key);
  }

  /** Takes everything back to what it was at first. */
  function reset() {
    Object.assign(inputs, structuredClone(untouched));
  }

  /** Forgets what was typed into the form, and what was taken in its place. */
  function forgetEdits() {
    inputs.taken = "";
    inputs.edits = {};
    inputs.held = {};
  }

  return {
    inputs,
    bare,
    look,
    open,
    address,
    assumes,
    remember,
    reset,
    forgetEdits,
    get embed() {
      return embed;
    },
    get theme() {
      return theme;
    },
    set theme(name) {
      theme = name;
    },
  };
})();
