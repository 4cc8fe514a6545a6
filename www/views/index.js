"use strict";

/**
 * The parts of the page that show the core's report, from top to bottom. One file and one line each.
 *
 * @type {{ id: string, render: (report: wasm_bindgen.Report) => void }[]}
 */
const views = [
  readerView,
  marksView,
  formView,
  answerView,
  findingsView,
  scheduleView,
  jittersView,
  totalView,
  fleetView,
  compareView,
  layersView,
  takeView,
  howView,
];
