/**
 * The embedder: a child process of the daemon that holds the ONNX session. A
 * native crash or a fat heap here costs the daemon nothing. It ends when its
 * channel does, so it never outlives the daemon.
 */
import { prepareModel } from '../../src/search/embed/prepared.ts';
import { loadRuntime, ModelError } from '../../src/search/embed/runtime.ts';
import type { EmbeddingSession } from '../../src/search/embed/session.ts';
import { openEmbeddingSession } from '../../src/search/embed/session.ts';
import type { FromEmbedder, ToEmbedder } from './messages.ts';

interface Work {
  id: number;
  text: string;
}

const queries: Work[] = [];
const bulk: Work[] = [];
let session: EmbeddingSession | undefined;
let isBusy = false;

process.on('message', (message: ToEmbedder) => {
  if (message.kind === 'load') void load(message);
  else if (message.kind === 'prepare') void prepare(message);
  else {
    (message.kind === 'query' ? queries : bulk).push({ id: message.id, text: message.text });
    void work();
  }
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C in the daemon's terminal is the daemon's to answer.
process.on('SIGINT', () => {});
loadRuntimeAhead();

/** The daemon names the model a moment later; what any model needs is there by then. */
function loadRuntimeAhead(): void {
  try {
    loadRuntime();
  } catch {
    // Told when a model is to be loaded.
  }
}

async function load(message: Extract<ToEmbedder, { kind: 'load' }>): Promise<void> {
  try {
    session = await openEmbeddingSession(message.dir, message.profile, message);
  } catch (error) {
    sendFault(error);
    return;
  }
  send({ kind: 'ready', rss: process.memoryUsage.rss(), isPrepared: session.isPrepared });
  void work();
}

async function prepare(message: Extract<ToEmbedder, { kind: 'prepare' }>): Promise<void> {
  try {
    const isUsed = await prepareModel(message.dir, message.profile, message.cache);
    send({ kind: 'prepared', isUsed });
  } catch (error) {
    sendFault(error);
  }
}

function sendFault(error: unknown): void {
  const fault =
    error instanceof ModelError
      ? error.fault
      : { kind: 'runtime' as const, detail: (error as Error).message };
  send({ kind: 'fault', fault });
}

/** One text at a time, queries first; between texts the channel is read. */
async function work(): Promise<void> {
  if (isBusy || session === undefined) return;
  isBusy = true;
  for (;;) {
    const next = queries.shift() ?? bulk.shift();
    if (next === undefined) break;
    try {
      const vector = await session.embed(next.text);
      send({ kind: 'vector', id: next.id, vector, rss: process.memoryUsage.rss() });
    } catch (error) {
      // Of such a model no text will ever have a vector.
      if (error instanceof ModelError) return sendFault(error);
      send({ kind: 'failed', id: next.id, message: (error as Error).message });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  isBusy = false;
}

function send(message: FromEmbedder): void {
  if (process.connected) process.send?.(message);
}
