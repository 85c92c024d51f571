'use strict';
// Loaded with `--require` into a real daemon: what LECTERN_CRASH_ON names ends it,
// at the moment when it begins to work on that. Stands in for a parser or a
// database that crashes on certain input. `thread` in LECTERN_CRASH_WHAT ends
// only the thread that works on it, `hang` has the main thread work on it for ever.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const named = process.env.LECTERN_CRASH_ON;
const { writeSync } = fs;
fs.writeSync = (fd, data, ...rest) => {
  const written = writeSync(fd, data, ...rest);
  const text = data.toString();
  // The trail that says what is in work.
  if (text.startsWith('{"inWork":"') && text.slice(0, text.indexOf('","deaths"')).includes(named)) {
    const what = process.env.LECTERN_CRASH_WHAT;
    if (what === 'hang') {
      while (isMainThread);
    } else if (what !== 'thread') process.kill(process.pid, 'SIGKILL');
    else if (!isMainThread) process.exit(1);
  }
  return written;
};
syncBuiltinESMExports();
