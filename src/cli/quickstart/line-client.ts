import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LecternError } from '../../core/errors.ts';
import { VERSION } from '../../core/version.ts';

/**
 * The smallest MCP client that can show lectern as an agent host sees it: one
 * JSON-RPC message a line over the pipes of a spawned `lectern mcp`.
 */
export interface LineClient {
  /** Milliseconds from the spawn until `initialize` was answered. */
  readonly startMs: number;
  readonly pid: number;
  /** Milliseconds of one `ping`. */
  ping(): Promise<number>;
  /** @throws LecternError with the server's message when it answers with an error */
  callTool(name: string, args: object): Promise<{ result: Record<string, unknown>; ms: number }>;
  /** Close standard input and wait until the server is gone. */
  close(): Promise<void>;
}

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** The revision that every host of today speaks. */
const PROTOCOL_VERSION = '2025-06-18';

/**
 * Spawn `command` and shake hands.
 *
 * @throws LecternError mcp_startup when it ends before it answers
 */
export async function openLineClient(
  command: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<LineClient> {
  const startedAt = performance.now();
  const [program, ...args] = command;
  const child = spawn(program!, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (e: Error) => void }
  >();
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const failAll = (why: string): void => {
    for (const { reject } of waiting.values()) reject(new LecternError('mcp_startup', why));
    waiting.clear();
  };
  child.once('error', (error) => failAll(error.message));
  child.once('close', (code) => failAll(`\`${command.join(' ')}\` ended with ${code}`));
  // A server that ends early is told by `close`; the broken pipe adds nothing.
  child.stdin!.on('error', () => {});
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });

  let nextId = 0;
  const send = (message: object): void => {
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const request = (method: string, params: object): Promise<Answer> => {
    nextId += 1;
    const id = nextId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
  };

  await request('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'lectern-quickstart', version: VERSION },
  });
  const startMs = performance.now() - startedAt;
  send({ method: 'notifications/initialized' });

  return {
    startMs,
    pid: child.pid!,
    async ping() {
      const askedAt = performance.now();
      await request('ping', {});
      return performance.now() - askedAt;
    },
    async callTool(name, args) {
      const askedAt = performance.now();
      const answer = await request('tools/call', { name, arguments: args });
      const ms = performance.now() - askedAt;
      if (answer.error !== undefined) throw new LecternError('internal', answer.error.message);
      const content = answer.result?.['structuredContent'];
      return { result: (content ?? answer.result ?? {}) as Record<string, unknown>, ms };
    },
    async close() {
      child.stdin!.end();
      await Promise.race([ended, forceEnd(child)]);
    },
  };
}

/** A proxy answers what it received within five seconds of the end of its input. */
const PROXY_DRAIN_MS = 6000;

function forceEnd(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      child.kill('SIGKILL');
      resolve();
    }, PROXY_DRAIN_MS).unref();
  });
}
