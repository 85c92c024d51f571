import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface McpMessage {
  jsonrpc: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of many shapes
  result?: any;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** `lectern mcp` as an agent host runs it: a child with pipes, one JSON message per line. */
export class McpProcess {
  readonly child: ChildProcess;
  /** Everything it said, in order. */
  readonly messages: McpMessage[] = [];
  stderr = '';
  /** Exit code and signal, once it has ended. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #waiting = new Map<string, (message: McpMessage) => void>();
  readonly #listeners = new Set<() => void>();
  #nextId = 1;
  #parts: Buffer[] = [];

  /** @param within a command line that runs what follows it, such as a sandbox */
  constructor(
    product: string,
    args: string[],
    env: Record<string, string>,
    cwd?: string,
    within: readonly string[] = [],
  ) {
    const words = [...within, process.execPath, join(product, 'bin/lectern.js'), 'mcp', ...args];
    this.child = spawn(words[0]!, words.slice(1), {
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.child.stdout!.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    // A test that kills it goes on writing for a moment.
    this.child.stdin!.on('error', () => {});
    this.exited = new Promise((resolve) => {
      this.child.on('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Send one request and wait for its answer. */
  request(
    method: string,
    params?: object,
    id: string | number = this.#nextId++,
  ): Promise<McpMessage> {
    const answer = this.answerTo(id);
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }));
    return answer;
  }

  call(name: string, args: object = {}): Promise<McpMessage> {
    return this.request('tools/call', { name, arguments: args });
  }

  answerTo(id: string | number | null): Promise<McpMessage> {
    return new Promise((resolve) => this.#waiting.set(JSON.stringify(id), resolve));
  }

  notify(method: string, params?: object): void {
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }

  sendLine(line: string | Buffer): void {
    this.child.stdin!.write(line);
    this.child.stdin!.write('\n');
  }

  /** The usual opening of a 2025-style client. */
  async handshake(): Promise<McpMessage> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  /** Resolves once some message fulfils `is`. */
  message(is: (message: McpMessage) => boolean): Promise<McpMessage> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.messages.find(is);
        if (found === undefined) return;
        this.#listeners.delete(look);
        resolve(found);
      };
      this.#listeners.add(look);
      look();
    });
  }

  /** End stdin and wait for the exit. */
  async end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.child.stdin!.end();
    return this.exited;
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(10, from);
      if (end === -1) break;
      const line = Buffer.concat([...this.#parts, chunk.subarray(from, end)]);
      this.#parts = [];
      this.#take(JSON.parse(line.toString('utf8')) as McpMessage);
      from = end + 1;
    }
    this.#parts.push(chunk.subarray(from));
  }

  #take(message: McpMessage): void {
    this.messages.push(message);
    for (const look of [...this.#listeners]) look();
    if (message.method !== undefined) return;
    const key = JSON.stringify(message.id ?? null);
    const resolve = this.#waiting.get(key);
    this.#waiting.delete(key);
    resolve?.(message);
  }
}
