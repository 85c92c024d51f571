'use strict';

/**
 * Compiled code with a sum over it behind it, as bin/lectern.js and
 * daemon/boot.ts check it. V8 checks of compiled code no more than its length,
 * and the process dies of one that lost a page in a power cut. Every 64th byte
 * will do: of each block that a disk writes some are looked at.
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
