"use strict";

/** Tells the page around this one how high this one is, whenever that changes. The message holds nothing else. */
if (parent !== window) {
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height !== told) {
      told = height;
      parent.postMessage({ type: "backoff-height", height }, "*");
    }
  }).observe(document.documentElement);
}
