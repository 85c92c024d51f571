'use strict';
// Loaded with `--require` into a process that is measured: SIGUSR2 has it collect
// and write what its heaps hold to the file that LECTERN_BENCH_WEIGHT names.
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const file = process.env.LECTERN_BENCH_WEIGHT;
if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    // Twice: the first round finds what finalizers let go of.
    collect();
    setImmediate(() => {
      collect();
      writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
      renameSync(`${file}.new`, file);
    });
  });
}
