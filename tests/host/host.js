"use strict";

// Gives the frame the height of what it shows.
addEventListener("message", (event) => {
  const frame = document.getElementById("backoff");
  if (event.source === frame.contentWindow && event.data?.type === "backoff-height") {
    frame.height = event.data.height;
  }
});
