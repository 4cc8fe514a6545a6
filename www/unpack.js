"use strict";

/** Starts the page in one file: takes its scripts and its module out of the texts that `xtask/src/pack.rs` makes. */
(async () => {
  /** The characters that the texts avoid. */
  const AVOIDED = [0, 5, 7, 8, 11, 12, 13, 14, 15, 24, 26, 27, 60, 127];
  /** Parts and operations, by the names that `pack.rs` gives them. */
  const [OPERATION, FUNCTION, CONSTANT, BRANCH, OTHER, CONSTANT_BEFORE] = [1, 4, 5, 7, 8, 9];
  const OFTEN = 128;
  const [GET_LOCAL, CONST_ADDRESS, BEHIND_FC, UNALIGNED] = [0xd3, 0xe8, 0xe9, 0xfd];
  const ALIGNED = [2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];

  /**
   * The bytes that an element holds.
   *
   * @param {string} id
   */
  function inflated(id) {
    const element = /** @type {HTMLElement} */ (document.getElementById(id));
    const bytes = decoded(element.textContent ?? "").subarray(0, Number(element.dataset.size));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).arrayBuffer();
  }

  /**
   * Seven bits a character; twice seven in a character of two bytes, of which the first are an avoided one.
   *
   * @param {string} text
   */
  function decoded(text) {
    const bytes = new Uint8Array(text.length * 2);
    let [to, held, bits] = [0, 0, 0];
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      const avoided = code > 127 ? (AVOIDED[(code >> 7) - 2] ?? 0) : 0;
      held = code > 127 ? (held << 14) | (avoided << 7) | (code & 127) : (held << 7) | code;
      for (bits += code > 127 ? 14 : 7; bits > 7; bytes[to++] = held >> bits) {
        bits -= 8;
      }
    }
    return bytes;
  }

  /**
   * The module that was sorted into these bytes.
   *
   * @param {ArrayBuffer} sorted
   */
  function assembled(sorted) {
    const [size = 0, functions = 0, ...lengths] = new Uint32Array(sorted, 0, 29);
    const bytes = new Uint8Array(sorted);
    /** Where the next byte of each part is. */
    const at = new Uint32Array(lengths.length + 1);
    at[0] = 29 * 4;
    lengths.forEach((length, part) => {
      at[part + 1] = (at[part] ?? 0) + length;
    });
    const [kinds = 0, before = 0, after = 0, end] = [at[0], ...at.slice(-3)];
    const module = new Uint8Array(size);
    module.set(bytes.subarray(before, after));
    let to = after - before;

    /** Copies one byte. @param {number} part */
    const byte = (part) => {
      const from = /** @type {number} */ (at[part]);
      at[part] = from + 1;
      const value = /** @type {number} */ (bytes[from]);
      module[to++] = value;
      return value;
    };
    /** Copies a number in LEB128, which has no sign where its value is used. @param {number} part */
    const number = (part) => {
      let from = /** @type {number} */ (at[part]);
      let seven = /** @type {number} */ (bytes[from++]);
      module[to++] = seven;
      let value = seven & 127;
      for (let shift = 7; seven > 127; shift += 7) {
        seven = /** @type {number} */ (bytes[from++]);
        module[to++] = seven;
        value |= (seven & 127) << shift;
      }
      at[part] = from;
      return value;
    };
    /** Writes a number in LEB128. @param {number} value */
    const write = (value) => {
      for (; value > 127; value >>>= 7) {
        module[to++] = (value & 127) | 128;
      }
      module[to++] = value;
    };
    /** Copies an operation and what follows it. */
    const operation = () => {
      let meant = byte(OPERATION);
      if (meant >= GET_LOCAL && meant < CONST_ADDRESS) {
        module[to - 1] = 0x20;
        module[to++] = meant - GET_LOCAL;
        return meant;
      }
      if (meant === UNALIGNED) {
        const alignment = byte(OPERATION);
        to -= 2;
        meant = byte(OPERATION);
        module[to++] = alignment;
      } else if (meant > 0x27 && meant < 0x3f) {
        module[to++] = /** @type {number} */ (ALIGNED[meant - 0x28]);
      } else if (meant === CONST_ADDRESS) {
        module[to - 1] = 0x41;
      } else if (meant === 0xfc) {
        meant = BEHIND_FC + number(OPERATION);
      }
      const follow = /** @type {number} */ (bytes[kinds + meant]);
      const next = /** @type {number} */ (bytes[/** @type {number} */ (at[OPERATION])]);
      const start = to;
      const value = follow ? number(follow === CONSTANT ? CONSTANT_BEFORE + (next >> 4) : follow & 15) : 0;
      if (follow > 15) {
        number(follow >> 4);
      }
      if (follow === FUNCTION) {
        to = start;
        write(value < OFTEN ? (often[value] ?? 0) : value - OFTEN);
      }
      if (meant === 0x0e) {
        for (let n = 0; n < value; n++) {
          number(BRANCH);
        }
      } else if (meant === 0x43 || meant === 0x44) {
        for (let n = meant === 0x43 ? 4 : 8; n; n--) {
          byte(OTHER);
        }
      }
      return meant;
    };

    // What is written here is written over.
    const often = Array.from({ length: OFTEN }, () => number(FUNCTION));
    to = after - before;
    for (let n = 0; n < functions; n++) {
      // Room for the size, which is known at the end.
      const start = to + 3;
      to = start;
      for (let groups = number(OTHER); groups; groups--) {
        number(OTHER);
        byte(OTHER);
      }
      for (let depth = 1; depth; ) {
        const done = operation();
        depth += done === 0x0b ? -1 : done > 1 && done < 5 ? 1 : 0;
      }
      const end = to;
      to = start - 3;
      write(end - start);
      module.copyWithin(to, start, end);
      to += end - start;
    }
    module.set(bytes.subarray(after, end), to);
    return module;
  }

  // The scripts do not wait for the module.
  const module = inflated("module").then((sorted) => WebAssembly.compile(assembled(sorted)));
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await inflated("scripts"));
  Object.assign(globalThis, { backoffModule: module });
  document.head.append(script);
})().catch((error) => {
  const banner = /** @type {HTMLElement} */ (document.getElementById("banner"));
  banner.textContent = `This page could not start here: ${error}`;
  banner.hidden = false;
});
