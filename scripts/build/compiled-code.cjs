'use strict';
// What V8 compiled ahead, as files. bin/lectern.js and daemon/boot.ts name and
// check them by a few lines of their own: each is the first file of a process
// that somebody waits for, and loads no other to find out what to load.
const { statSync } = require('node:fs');

/**
 * False for a Node whose own code is in a shared library, as some distributions
 * build it: that may be replaced by a patched one and the program beside it look
 * as it did.
 */
exports.COMPILES_AHEAD = process.config.variables.node_shared !== true;

/**
 * What compiled code is called after: the Node that compiled it, to the byte.
 * V8 does not do enough to refuse another's. It compares its own version, which
 * Node 20.19 and 20.20 share, and not its built-in code, which they do not: one
 * that takes what the other compiled reads memory at the other's addresses and
 * dies. Nor does it look at the processor.
 */
exports.nameOfThisNode = () => {
  const { version, platform, arch, execPath } = process;
  return `${version}-${platform}-${arch}-${statSync(execPath).size}`;
};

/**
 * Compiled code with a sum over it behind it. V8 checks of compiled code no more
 * than its length, and the process dies of one that lost a page in a power cut.
 * Every 64th byte will do: of each block that a disk writes some are looked at.
 *
 * @param {Buffer} code
 */
exports.sealCompiled = (code) => {
  let sum = 1;
  for (let at = 0; at < code.length; at += 64) sum = (Math.imul(sum, 31) + code[at]) | 0;
  const end = Buffer.alloc(4);
  end.writeInt32LE(sum);
  return Buffer.concat([code, end]);
};
