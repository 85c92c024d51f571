import type { Worker } from 'node:worker_threads';
import type { Scope } from '../../src/core/scope.ts';
import type { SessionContext } from '../../src/mcp/surface.ts';
import type { TuiConnection } from '../../src/mcp/tui-surface.ts';
import { classifyLine } from '../../src/protocol/link/classify.ts';
import type { Log } from '../log.ts';
import { readPart, startThread } from '../part-code.ts';
import { ALIVE_MS, type FromTuiThread, type ToTuiThread } from './messages.ts';

/**
 * How long the thread may be silent with work before it is ended. The largest
 * documents of the language's own limits take two to three seconds.
 */
const STUCK_MS = 20_000;

/**
 * What documents may take. 10 MB of text takes 70 MB, a frame of 10,000 rows 100 MB;
 * 10 MB of nothing but tags would take 2 GB from the machine of everyone here.
 */
const HEAP_MB = 1_024;

/** A thread loads its code before it can say anything: 100 ms, or seconds on a loaded machine. */
const BIRTH_MS = 15_000;

/** JSON-RPC internal error (JSON-RPC 2.0 section 5.1). */
const INTERNAL = -32603;

interface Waiting {
  bytes: Uint8Array;
  resolve(text: string | null): void;
}

interface OpenSession {
  context: SessionContext;
  waiting: Map<number, Waiting>;
}

export interface TuiThreadOptions {
  scope: Scope;
  log: Log;
  /** Shorter in tests. */
  stuckMs?: number;
  /** Smaller in tests. */
  heapMb?: number;
}

/**
 * Connections to the tui thread, which starts with the first session. When it
 * dies or is stuck, what it had in work is answered with an error that says
 * so, and the sessions go on in a new one.
 */
export function openTuiThread(
  options: TuiThreadOptions,
): (context: SessionContext) => TuiConnection {
  const { scope, log, stuckMs = STUCK_MS, heapMb = HEAP_MB } = options;
  const code = readPart(import.meta.url, './tui.cjs', './main.ts');
  const sessions = new Map<number, OpenSession>();
  let thread: Worker | undefined;
  let heardAt = 0;
  let lastLine = 0;

  scope.own(undefined, () => thread?.terminate(), 'tui thread');
  scope.interval(ALIVE_MS, 'tui watchdog', () => {
    if (thread === undefined || !isBusy()) return;
    if (performance.now() - heardAt > stuckMs) void thread.terminate();
  });

  function isBusy(): boolean {
    return [...sessions.values()].some(({ waiting }) => waiting.size > 0);
  }

  function tell(message: ToTuiThread): void {
    thread ??= start();
    thread.postMessage(message);
  }

  function start(): Worker {
    const born = startThread(code, heapMb);
    heardAt = performance.now() + BIRTH_MS;
    born.on('message', (message: FromTuiThread) => {
      heardAt = performance.now();
      if (message.kind === 'answer') answer(message.session, message.line, message.text);
      else if (message.kind === 'read') void read(born, message);
    });
    born.on('error', (error) => log.error({ err: error }, 'the tui thread failed'));
    born.on('exit', () => {
      if (thread === born) thread = undefined;
      if (!scope.isClosed) log.error('the tui thread ended; the next call starts another');
      failEverything();
    });
    for (const [session, { context }] of sessions) {
      born.postMessage({ kind: 'open', session, cwd: context.cwd } satisfies ToTuiThread);
    }
    return born;
  }

  function answer(session: number, line: number, text: string | null): void {
    const waiting = sessions.get(session)?.waiting;
    waiting?.get(line)?.resolve(text);
    waiting?.delete(line);
  }

  async function read(
    asker: Worker,
    { session, read: id, path }: Extract<FromTuiThread, { kind: 'read' }>,
  ): Promise<void> {
    const reply = await readThrough(sessions.get(session)?.context, id, path);
    if (thread !== asker) return;
    asker.postMessage(reply, reply.kind === 'read' ? [reply.bytes.buffer] : []);
  }

  function failEverything(): void {
    for (const { waiting } of sessions.values()) {
      for (const { bytes, resolve } of waiting.values()) resolve(failure(bytes));
      waiting.clear();
    }
  }

  return (context) => {
    const session = context.id;
    sessions.set(session, { context, waiting: new Map() });
    if (thread !== undefined) tell({ kind: 'open', session, cwd: context.cwd });
    return {
      handle: (line) =>
        new Promise((resolve) => {
          const bytes = typeof line === 'string' ? Buffer.from(line) : line;
          const waiting = sessions.get(session)?.waiting;
          if (waiting === undefined) return resolve(null);
          lastLine += 1;
          // A thread that rests says nothing; its silence counts from here.
          if (!isBusy()) heardAt = Math.max(heardAt, performance.now());
          waiting.set(lastLine, { bytes, resolve });
          tell({ kind: 'line', session, line: lastLine, bytes });
        }),
      close: () => {
        sessions.delete(session);
        thread?.postMessage({ kind: 'close', session } satisfies ToTuiThread);
      },
    };
  };
}

/** A file through the session's proxy, as a message for the thread. */
async function readThrough(
  context: SessionContext | undefined,
  read: number,
  path: string,
): Promise<ToTuiThread> {
  try {
    if (context === undefined) throw new Error('the session is over');
    // A copy of its own: a view would take the whole chunk of the socket along.
    return { kind: 'read', read, bytes: new Uint8Array(await context.readFile(path)) };
  } catch (error) {
    const { code = 'EIO', message } = error as NodeJS.ErrnoException;
    return { kind: 'read-failed', read, code, message };
  }
}

/** The answer to a line that the thread died of; null for a notification. */
function failure(line: Uint8Array): string | null {
  const { wantsReply, idKey } = classifyLine(line, 'tui');
  if (!wantsReply) return null;
  const message = 'the document took too long or broke the renderer; make it smaller and try again';
  return `{"jsonrpc":"2.0","id":${idKey},"error":{"code":${INTERNAL},"message":"${message}"}}`;
}
