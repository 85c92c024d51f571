import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Cli, type CliRun, openCli } from './run-cli.ts';

export interface StartOptions {
  /** Directories or URLs to enrol, with all their plugins enabled. */
  catalogs?: string[];
  surface?: 'library' | 'registry' | 'tui';
  /** `--workspace`. */
  workspace?: string;
  /** `--harness`. */
  harness?: string;
  /** Further flags of `lectern mcp`. */
  flags?: string[];
  env?: Record<string, string>;
  /** Working directory of the proxy. */
  cwd?: string;
  /** A command line whose state root is shared; it stays open when this session closes. */
  cli?: Cli;
  /** Name the client tells in `initialize`. */
  clientName?: string;
}

/** The built product on a state root of its own: a proxy, a real daemon behind it, and a client. */
export interface Lectern {
  client: Client;
  cli: Cli;
  /** Pid of the proxy. */
  readonly pid: number;
  /** What the proxy printed to stderr. */
  readonly stderr: string;
  /**
   * Call a tool and return its structured content, else its text.
   *
   * @throws the JSON-RPC error, or the text of a result with `isError`
   */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  call(tool: string, args?: Record<string, unknown>): Promise<any>;
  /** Run a command on the same state root. */
  run(args: readonly string[]): Promise<CliRun>;
  close(): Promise<void>;
}

/** Start everything as a harness would. `close` it in `afterAll` or `onTestFinished`. */
export async function startLectern(options: StartOptions = {}): Promise<Lectern> {
  const cli = options.cli ?? (await openCli());
  for (const catalog of options.catalogs ?? []) {
    const added = await cli.run(['catalog', 'add', catalog, '--enable', '--json']);
    if (added.code !== 0) throw new Error(`catalog add ${catalog}: ${added.stderr}`);
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli.bin, 'mcp', ...flagsOf(options)],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(cli.root, 'home'),
      LECTERN_HOME: join(cli.root, 'state'),
      ...options.env,
    },
    cwd: options.cwd ?? cli.cwd,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += chunk));
  const client = new Client({ name: options.clientName ?? 'test-host', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    cli,
    get pid() {
      return transport.pid!;
    },
    get stderr() {
      return stderr;
    },
    async call(tool, args = {}) {
      const result = await client.callTool({ name: tool, arguments: args });
      const text = (result.content as { type: string; text?: string }[] | undefined)
        ?.map((block) => block.text ?? '')
        .join('\n');
      if (result.isError === true) throw new Error(text);
      return result.structuredContent ?? text;
    },
    run: (args) => cli.run(args),
    async close() {
      const ended = transport.stderr === null ? undefined : once(transport.stderr, 'close');
      await client.close();
      await ended;
      if (options.cli === undefined) await cli.close();
    },
  };
}

function flagsOf({ surface, workspace, harness, flags }: StartOptions): string[] {
  return [
    ...(surface === undefined ? [] : ['--surface', surface]),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(harness === undefined ? [] : ['--harness', harness]),
    ...(flags ?? []),
  ];
}
