import { parentPort } from 'node:worker_threads';
import { createTuiServer, type TuiServer } from '../../src/mcp/tui.ts';
import { ALIVE_MS, type FromTuiThread, type ToTuiThread } from './messages.ts';

/**
 * The thread that lays out terminal documents for every tui session. A hostile
 * document of megabytes costs seconds; here they are nobody's but its own.
 */
const port = parentPort!;
const servers = new Map<number, TuiServer>();
const reads = new Map<number, { resolve(bytes: Uint8Array): void; reject(error: Error): void }>();
let lastRead = 0;

function say(message: FromTuiThread): void {
  port.postMessage(message);
}

function readFile(session: number, path: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    lastRead += 1;
    reads.set(lastRead, { resolve, reject });
    say({ kind: 'read', session, read: lastRead, path });
  });
}

function takeRead(read: number) {
  const waiting = reads.get(read);
  reads.delete(read);
  return waiting;
}

port.on('message', (message: ToTuiThread) => {
  switch (message.kind) {
    case 'open': {
      const { session, cwd } = message;
      servers.set(session, createTuiServer({ cwd, readFile: (path) => readFile(session, path) }));
      break;
    }
    case 'line': {
      const { session, line, bytes } = message;
      void servers
        .get(session)
        ?.handle(bytes)
        .then((text) => say({ kind: 'answer', session, line, text }));
      break;
    }
    case 'read':
      takeRead(message.read)?.resolve(message.bytes);
      break;
    case 'read-failed':
      takeRead(message.read)?.reject(
        Object.assign(new Error(message.message), { code: message.code }),
      );
      break;
    case 'close':
      servers.delete(message.session);
      break;
  }
});

say({ kind: 'alive' });
setInterval(() => say({ kind: 'alive' }), ALIVE_MS);
