'use strict';
// Loaded with `--require` into real processes: their clock is off by as many
// milliseconds as the file LECTERN_CLOCK says at the time.
const { readFileSync } = require('node:fs');

const RealDate = Date;
const { now } = Date;

function off() {
  try {
    return Number(readFileSync(process.env.LECTERN_CLOCK, 'utf8'));
  } catch {
    return 0;
  }
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now() + off()] : given));
  }
  static now() {
    return now() + off();
  }
};
