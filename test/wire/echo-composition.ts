import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminContext, ComposeOptions, Composition } from '../../daemon/composition.ts';
import { LecternError } from '../../src/core/errors.ts';
import type { OpenSurface } from '../../src/mcp/surface.ts';

interface ToolArguments {
  text: string;
  bytes: number;
  started: string;
  file: string;
  tally: string;
  path: string;
}

/**
 * Stands in for the real composition in tests of the wire: a surface whose
 * tools do exactly what a test needs a daemon to do, or to die of.
 */
export async function composeDaemon(options: ComposeOptions): Promise<Composition> {
  if (existsSync(`${options.paths.root}/refuse-to-compose`)) {
    throw new LecternError('schema_too_new', 'the state was written by a newer lectern');
  }
  return {
    surfaces: { library: openEcho(options), tui: openEcho(options) },
    answersAsRecorded: existsSync(`${options.paths.root}/answer-as-recorded`),
    reload: async () => appendFileSync(`${options.paths.root}/reloaded`, '.'),
    admin: async () => ({
      methods: [],
      handlers: {
        'echo.fail': async () => {
          throw new LecternError('catalog_not_found', 'no catalog named "pear"', {
            code: 'unknown_catalog',
            extras: { catalog: 'pear' },
            next: 'lectern catalog list',
          });
        },
        'echo.break': async () => {
          throw new TypeError('a fault');
        },
        'echo.hang': () => new Promise(() => {}),
        'echo.steps': async ({ steps }: { steps: number }, context: AdminContext) => {
          for (let at = 1; at <= steps; at += 1) context.progress('stepping', at, steps);
          return { steps };
        },
        'echo.read': async ({ path }: { path: string }, { session }: AdminContext) => ({
          text: Buffer.from(await session.readFile(path)).toString('utf8'),
        }),
      },
    }),
  };
}

function openEcho({ readOnly }: ComposeOptions): OpenSurface {
  return (context, send) => {
    let initializations = 0;
    const asked = new Map<string, (answer: unknown) => void>();

    const tools: Record<string, (args: ToolArguments) => unknown> = {
      echo: ({ text }) => text,
      pid: () => process.pid,
      session: () => ({
        initializations,
        readOnly,
        cwd: context.cwd,
        env: context.env,
        flags: context.flags,
        workspace: context.workspaceFlag,
        harness: context.harness,
      }),
      big: ({ bytes }) => 'é\u2028'.repeat(bytes / 5),
      write: ({ tally, text }) => {
        appendFileSync(tally, `${text}\n`);
        return 'written';
      },
      wait_for: async ({ started, file }) => {
        appendFileSync(started, '.');
        while (!existsSync(file)) await sleep(2);
        return 'done';
      },
      /** As wait_for, but of a kind that is never sent twice. */
      hold: (args) => tools['wait_for']!(args),
      die_reading: ({ tally }) => {
        appendFileSync(tally, '.');
        process.kill(process.pid, 'SIGKILL');
        return sleep(1e6);
      },
      die_writing: (args) => tools['die_reading']!(args),
      read: async ({ path }) => Buffer.from(await context.readFile(path)).toString('utf8'),
      ask: () =>
        new Promise((resolve) => {
          asked.set('q1', resolve);
          send(JSON.stringify({ jsonrpc: '2.0', id: 'q1', method: 'roots/list' }));
        }),
      notify: () => {
        send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
        return 'notified';
      },
    };

    async function answer(message: {
      id?: string | number;
      method?: string;
      params?: { name: string; arguments: ToolArguments };
      result?: unknown;
    }): Promise<void> {
      const { id, method, params } = message;
      if (method === undefined) return asked.get(String(id))?.(message.result);
      if (id === undefined) return;
      const reply = (body: object) => send(JSON.stringify({ jsonrpc: '2.0', id, ...body }), id);
      if (method === 'initialize') {
        initializations += 1;
        return reply({ result: { protocolVersion: '2025-11-25', serverInfo: { name: 'echo' } } });
      }
      if (method === 'ping') return reply({ result: {} });
      if (method === 'tools/list') return reply({ result: { tools: [{ name: 'live' }] } });
      const tool = method === 'tools/call' ? tools[params!.name] : undefined;
      if (tool === undefined) {
        return reply({ error: { code: -32601, message: `method not found: ${method}` } });
      }
      try {
        reply({ result: { value: await tool(params!.arguments) } });
      } catch (error) {
        const { code, message: text } = error as NodeJS.ErrnoException;
        reply({ error: { code: -32000, message: text, data: { code } } });
      }
    }

    return {
      inFlight: 0,
      receive: (bytes) => void answer(JSON.parse(Buffer.from(bytes).toString('utf8'))),
      close: async () => {},
    };
  };
}
