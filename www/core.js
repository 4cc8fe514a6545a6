"use strict";

/**
 * The functions that other pages call: `globalThis.backoff`. The build wraps this file, the glue and the module into
 * `www/pkg/backoff.js`.
 *
 * @param {() => typeof wasm_bindgen} glue gives a fresh, empty instance of the glue
 * @param {Promise<WebAssembly.Module>} compiled
 * @param {(glue: () => typeof wasm_bindgen) => void} run what a worker runs
 */
function backoffCore(glue, compiled, run) {
  /** @type {WebAssembly.Module} */
  let module;
  /** @type {typeof wasm_bindgen | undefined} */
  let core;

  async function start() {
    module = await compiled;
    afresh();
  }

  function afresh() {
    core = glue();
    core.initSync({ module });
  }

  /**
   * Calls a function of the core. What the core says is an `Error`; anything else means that it stopped, and a fresh one
   * takes its place.
   *
   * @template T
   * @param {(core: typeof wasm_bindgen) => T} ask
   * @returns {T}
   */
  function call(ask) {
    if (!core) {
      throw new Error("not ready: await backoff.ready");
    }
    try {
      return ask(core);
    } catch (error) {
      if (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype) {
        throw error;
      }
      afresh();
      throw new CoreStopped(error);
    }
  }

  /** The worker's source, which is text that this page holds already. @type {string | undefined} */
  let source;

  /**
   * Calls a function of a core of its own, beside the page.
   *
   * @param {string} name
   * @param {unknown[]} args
   * @param {AbortSignal} [signal] ends it; the promise is then rejected with its reason, an AbortError
   * @param {(share: number) => void} [onProgress]
   * @returns {Promise<any>}
   */
  function beside(name, args, signal, onProgress) {
    return new Promise((resolve, reject) => {
      source ??= URL.createObjectURL(new Blob([`(${run})(${glue})`], { type: "text/javascript" }));
      const worker = new Worker(source);
      const end = () => {
        worker.terminate();
        signal?.removeEventListener("abort", abort);
      };
      const abort = () => {
        end();
        reject(signal?.reason);
      };
      worker.onmessage = ({ data }) => {
        if ("progress" in data) {
          onProgress?.(data.progress);
          return;
        }
        end();
        "error" in data ? reject(new Error(data.error)) : resolve(data.result);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        end();
        reject(new CoreStopped(event.message));
      };
      signal?.addEventListener("abort", abort);
      signal?.aborted ? abort() : worker.postMessage({ module, name, args });
    });
  }

  /** The core stopped on what it was asked and was started afresh. */
  class CoreStopped extends Error {
    /** @param {unknown} cause */
    constructor(cause) {
      super(`the core stopped and was started afresh: ${cause}`, { cause });
      this.name = "CoreStopped";
    }
  }

  return {
    /** Fulfilled when the other functions can be called. */
    ready: start(),
    /** @type {typeof wasm_bindgen.read} */
    read: (text, choice) => call((core) => core.read(text, choice)),
    /** @type {typeof wasm_bindgen.textFindings} */
    textFindings: (text) => call((core) => core.textFindings(text)),
    /** @type {typeof wasm_bindgen.schedule} */
    schedule: (policy, limit) => call((core) => core.schedule(policy, limit)),
    /** @type {typeof wasm_bindgen.worstCaseTotal} */
    worstCaseTotal: (policy) => call((core) => core.worstCaseTotal(policy)),
    /** @type {typeof wasm_bindgen.totalWait} */
    totalWait: (policy, options) => call((core) => core.totalWait(policy, options)),
    /** @type {typeof wasm_bindgen.sample} */
    sample: (policy, seed) => call((core) => core.sample(policy, seed)),
    /** @type {typeof wasm_bindgen.write} */
    write: (policy, library) => call((core) => core.write(policy, library)),
    /** @type {typeof wasm_bindgen.fleet} */
    fleet: (policy, fleet) => call((core) => core.fleet(policy, fleet)),
    /**
     * Plays a fleet out, beside the page. Same seed, same result.
     *
     * @param {wasm_bindgen.Policy} policy
     * @param {wasm_bindgen.FleetSpec} fleet
     * @param {string} seed a decimal number of 64 bits
     * @param {{ onProgress?: (share: number) => void, signal?: AbortSignal }} [options]
     * @returns {Promise<wasm_bindgen.Simulation>}
     */
    simulate: (policy, fleet, seed, { onProgress, signal } = {}) =>
      call(() => beside("simulate", [policy, fleet, seed], signal, onProgress)),
    /** @type {typeof wasm_bindgen.libraries} */
    libraries: () => call((core) => core.libraries()),
    /** @type {typeof wasm_bindgen.linkKeys} */
    linkKeys: () => call((core) => core.linkKeys()),
    /** @type {typeof wasm_bindgen.report} */
    report: (request) => call((core) => core.report(request)),
    /**
     * The same with every number that takes long, found beside the page.
     *
     * @param {wasm_bindgen.Request} request
     * @param {AbortSignal} [signal]
     * @returns {Promise<wasm_bindgen.Report>}
     */
    patientReport: (request, signal) => beside("report", [{ ...request, patient: true }], signal),
    /**
     * The experiment of 2015.
     *
     * @param {string} seed a decimal number of 64 bits
     * @param {AbortSignal} [signal]
     * @param {(share: number) => void} [onProgress]
     * @returns {Promise<wasm_bindgen.AwsResult>}
     */
    awsExperiment: (seed, signal, onProgress) => beside("awsExperiment", [seed], signal, onProgress),
    /**
     * What the page shows of its fleet when it is played out; undefined where there is nothing to play.
     *
     * @param {wasm_bindgen.Request} request
     * @param {AbortSignal} [signal]
     * @param {(share: number) => void} [onProgress]
     * @returns {Promise<wasm_bindgen.FleetPlay | undefined>}
     */
    fleetPlay: (request, signal, onProgress) => beside("fleetPlay", [{ ...request }], signal, onProgress),
  };
}
