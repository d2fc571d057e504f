"use strict";

async function start() {
  try {
    await loadCorpus();
    connect();
    connectControls();
    const differences = findDifferences();
    if (differences.length) warn(["The numbers of this page are inconsistent: the file was changed or is damaged.", ...differences]);
    warn(describeProblems());
    restore();
    await connectPaper();
    document.body.dataset.ready = Math.round(performance.now());
  } catch (error) {
    warn(["This page cannot be read: the file was changed or is damaged.", String(error)]);
    document.body.dataset.broken = "true";
  }
}

start();
