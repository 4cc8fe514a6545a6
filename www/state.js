"use strict";

/** The state of the inputs, and the part of it that the link holds. The pasted text is never in the link. */
const state = (() => {
  /** @type {Required<wasm_bindgen.Request> & { fleet: Required<wasm_bindgen.FleetRequest> }} */
  const inputs = {
    text: "",
    choice: {},
    block: 0,
    link: "",
    edits: {},
    assumed: {},
    held: {},
    allRows: false,
    patient: false,
    fleet: { typed: {}, open: false, nowUnixMs: Date.now() },
  };
  /** The keys of the link that are about the fleet. */
  const ofFleet = [
    "callers",
    "allowance",
    "per",
    "enforced",
    "burst",
    "spread",
    "demand",
    "hint",
    "seed",
    "mean",
    "bins",
  ];
  let embed = false;
  let theme = "";

  /** Takes over what the address says. Returns whether it holds a policy. */
  function open() {
    const hash = location.hash.slice(1);
    const said = new URLSearchParams(hash);
    embed = said.get("embed") === "1";
    theme = ["light", "dark"].find((name) => name === said.get("theme")) ?? "";
    const typed = ofFleet.filter((key) => said.has(key)).map((key) => [key, said.get(key) ?? ""]);
    inputs.fleet.typed = Object.fromEntries(typed);
    inputs.fleet.open = typed.length > 0 || hash === "all" || said.has("all");
    const ours = ["v", "embed", "theme", "all", ...ofFleet];
    const policy = hash.includes("=") && [...said.keys()].some((key) => !ours.includes(key) && !assumes(key));
    inputs.assumed = Object.fromEntries([...said].filter(([key]) => assumes(key)));
    inputs.link = policy ? hash : "";
    return policy;
  }

  /**
   * The address of the page with a policy.
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
    return key === "call-time" || key === "target" || key.startsWith("limit-");
  }

  /** Forgets what was typed into the form. */
  function forgetEdits() {
    inputs.edits = {};
    inputs.held = {};
  }

  return {
    inputs,
    open,
    address,
    assumes,
    remember,
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
