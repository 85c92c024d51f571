'use strict';
// Loaded with `--require` into a daemon: hnswlib-node is not installed for it.
const Module = require('node:module');

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === 'hnswlib-node') throw new Error('hnswlib-node is left out of this measurement');
  return load.call(this, name, ...rest);
};
