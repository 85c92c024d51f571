// Writes what V8 compiled of the proxy during one handshake, so that a start
// under the same Node compiles nothing.
//
// Run as: node scripts/build/warm-proxy.cjs DIST VERSION NODE < two requests, one a line
'use strict';
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Script } = require('node:vm');
const { sealCompiled } = require('./compiled-code.cjs');

const [dist, version, node] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'lectern-warm-'));
const socket = join(root, 'warm.sock');
const tokenFile = join(root, 'token');

/** Frame kinds of src/protocol/link/frames.ts. */
const [HELLO, WELCOME, MCP, REPLY] = [1, 2, 3, 4];
const REQUESTS = 2;

function frame(kind, seq, text) {
  const bytes = Buffer.alloc(9 + text.length);
  bytes.writeUInt32BE(text.length, 0);
  bytes.writeUInt8(kind, 4);
  bytes.writeUInt32BE(seq, 5);
  bytes.write(text, 9);
  return bytes;
}

/** A daemon as far as one handshake goes. */
function answer(connection) {
  let rest = Buffer.alloc(0);
  let replies = 0;
  connection.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUInt32BE(0)) {
      const [length, kind, seq] = [rest.readUInt32BE(0), rest.readUInt8(4), rest.readUInt32BE(5)];
      const text = rest.toString('utf8', 9, 9 + length);
      rest = rest.subarray(9 + length);
      if (kind === HELLO)
        connection.write(frame(WELCOME, 0, JSON.stringify({ protocol: 1, version })));
      if (kind !== MCP || seq === 0) continue;
      const { id } = JSON.parse(text);
      connection.write(frame(REPLY, seq, `{"jsonrpc":"2.0","id":${id},"result":{}}\n`));
      replies += 1;
      // The last answer passes through the proxy first, so that its way is compiled too.
      if (replies === REQUESTS) setTimeout(finish, 100);
    }
  });
}

/** The parts of the proxy that were loaded, by their names. */
const scripts = new Map();

function loadPart(name) {
  const filename = join(dist, `${name}.cjs`);
  const script = new Script(readFileSync(filename, 'utf8'), { filename });
  scripts.set(name, script);
  return script.runInThisContext()(require, dist, loadPart);
}

function finish() {
  for (const [name, script] of scripts) {
    writeFileSync(join(dist, `${name}-${node}.cache`), sealCompiled(script.createCachedData()));
  }
  rmSync(root, { recursive: true, force: true });
  process.exit(0);
}

writeFileSync(tokenFile, 'warm');
writeFileSync(
  join(root, 'daemon.json'),
  JSON.stringify({
    pid: process.pid,
    socket,
    tokenFile,
    version,
    protocol: 1,
    // The way of an answer from the record is compiled, though none is written yet.
    answersAsRecorded: true,
  }),
);
// A started proxy sets flags of V8, and V8 takes no code that was compiled under others.
require('node:v8').setFlagsFromString = () => {};
process.env.LECTERN_HOME = root;
process.argv = [process.argv[0], 'lectern', 'mcp'];
createServer(answer).listen(socket, () => loadPart('proxy'));
