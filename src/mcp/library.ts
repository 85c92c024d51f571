import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { toLecternError, toRpcError } from '../core/errors.ts';
import { VERSION } from '../core/version.ts';
import type { Library } from '../library/library.ts';
import type { LibrarySession } from '../library/parts.ts';
import { INSTRUCTIONS } from './library/instructions.ts';
import { reportProgress } from './library/report-progress.ts';
import { type SkillService, skillsExtension } from './library/skills-extension.ts';
import { TOOL_ITEMS } from './library/tool-list.ts';
import { LIBRARY_TOOLS, type LibraryTool } from './library/tools.ts';
import { RawTransport } from './raw-transport.ts';
import type { OpenSurface } from './surface.ts';

/** What the surface asks; `Library` is one, a stand-in records the handshake. */
export type LibraryService = Pick<
  Library,
  | 'searchSkills'
  | 'getSkill'
  | 'listPlugins'
  | 'listCatalogs'
  | 'status'
  | 'installMeta'
  | 'listPrompts'
  | 'getPrompt'
  | 'promptDigest'
  | 'holdProject'
  | 'touch'
  | 'onChange'
  | 'indexing'
> &
  SkillService;

/**
 * How long after a change the prompt list is compared. Longer than a burst of
 * saves, far shorter than the minute of the contract (L-180).
 */
const COMPARE_AFTER_MS = 300;

/** Any JSON value may come as an argument; the library turns it into text (library contract 7.5). */
const getPromptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});
/** In `_meta` of a result: the number of the index state that it was made from, as in the daemon's welcome. */
const CLOCK_KEY = 'lectern/clock';

const anyParams = z.looseObject({});

/** Tools whose calls change nothing and may be sent again. */
export const READ_ONLY_LIBRARY_TOOLS: readonly string[] = LIBRARY_TOOLS.filter(
  (tool) => tool.readOnly,
).map((tool) => tool.name);

/**
 * The library surface (library contract 6, 8, 9): one MCP server object per
 * session, over its raw messages, in the 2026-07-28 revision and the ones
 * before it.
 */
export function openLibrarySurface(library: LibraryService): OpenSurface {
  return (context, send) => {
    const transport = new RawTransport(send);
    // `initialize` comes with the hello, and every start of an agent waits for its answer: that goes first.
    const begun = new Promise<void>((resolve) => setImmediate(resolve));
    const held = begun.then(() => library.holdProject(context)).catch(() => () => {});
    void begun.then(() => library.touch(context));
    const servers = new Set<McpServer>();
    const handle = serveStdio(
      () => {
        const server = createLibraryServer(library, context, { ready: held });
        servers.add(server);
        return server;
      },
      { transport },
    );
    const stopWatching = watchPrompts(library, context, () => {
      for (const server of servers) {
        // A client that is gone, or has not begun, needs no news.
        server.server.sendPromptListChanged().catch(() => {});
      }
    });
    return {
      receive: (message) => transport.receive(message),
      get inFlight() {
        return transport.inFlight;
      },
      async close() {
        stopWatching();
        await handle.close();
        (await held)();
      },
    };
  };
}

/** How one server object differs from the usual one. */
export interface ServerOffer {
  /** Resolves when the session's own project has been read. */
  ready: Promise<unknown>;
  /** Why tools that write are not offered; absent where they are. */
  readOnlyReason?: string;
}

/** One MCP server object for one session. */
export function createLibraryServer(
  library: LibraryService,
  context: LibrarySession,
  { ready, readOnlyReason }: ServerOffer,
): McpServer {
  const tools = readOnlyReason === undefined ? TOOL_ITEMS : TOOL_ITEMS.filter(isOfReadOnlyTool);
  const mcp = new McpServer(
    { name: 'lectern', version: VERSION },
    {
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } },
      instructions: INSTRUCTIONS,
    },
  );
  skillsExtension(library, context, ready).attach(mcp);
  // The tools are served below McpServer's own registry, which would turn failures into results.
  const { server } = mcp;
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, call) => {
    const tool = LIBRARY_TOOLS.find((it) => it.name === params.name);
    if (tool === undefined) {
      const names = tools.map((it) => it.name).join(', ');
      throw invalid(`there is no tool "${params.name}"; there is: ${names}`);
    }
    if (readOnlyReason !== undefined && !tool.readOnly) {
      throw invalid(`${tool.name} writes files: ${readOnlyReason}`);
    }
    const input = parseInput(tool, params.arguments);
    let clock: number | undefined;
    const session = { ...context, onLook: (seen: number) => void (clock = seen) };
    const output = await answered(() =>
      reportProgress(
        call,
        () => library.indexing(),
        async () => {
          // The project's own skills belong to the answer; they are read once per session.
          await ready;
          return callTool(library, session, tool, input);
        },
      ),
    );
    return {
      ...(clock === undefined ? {} : { _meta: { [CLOCK_KEY]: clock } }),
      content: [{ type: 'text' as const, text: JSON.stringify(output) }],
      structuredContent: output as Record<string, unknown>,
    };
  });
  server.setRequestHandler('prompts/list', { params: anyParams }, () =>
    answered(async () => {
      await ready;
      return { prompts: await library.listPrompts(context) };
    }),
  );
  server.setRequestHandler('prompts/get', { params: getPromptParams }, (params) =>
    answered(async () => {
      await ready;
      return { ...(await library.getPrompt(params.name, params.arguments, context)) };
    }),
  );
  return mcp;
}

function isOfReadOnlyTool(item: { name: string }): boolean {
  return READ_ONLY_LIBRARY_TOOLS.includes(item.name);
}

async function callTool(
  library: LibraryService,
  context: LibrarySession,
  tool: LibraryTool,
  // biome-ignore lint/suspicious/noExplicitAny: checked by the tool's own schema just before
  input: any,
): Promise<object> {
  switch (tool.name) {
    case 'search_skills':
      return library.searchSkills(input, context);
    case 'get_skill':
      return library.getSkill(input, context);
    case 'list_plugins':
      return library.listPlugins(input, context);
    case 'list_catalogs':
      return library.listCatalogs(context);
    case 'status':
      return library.status(context, { includeDoctor: input.include_doctor });
    case 'meta':
      return library.installMeta(input, context);
  }
}

/** @throws ProtocolError −32602 without data, as the contract's framework answers (6.1) */
function parseInput(tool: LibraryTool, given: unknown): unknown {
  const checked = tool.input.safeParse(withoutInfinity(given ?? {}));
  if (checked.success) return checked.data;
  const what = explainMisfit(tool, given, checked.error.issues[0]!);
  throw invalid(`invalid arguments for ${tool.name}: ${what}`);
}

/** What is wrong with the arguments, said so that a model can mend them without the schema at hand. */
function explainMisfit(tool: LibraryTool, given: unknown, issue: z.core.$ZodIssue): string {
  const known = Object.keys((tool.input as z.ZodObject).shape);
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => `"${key}"`).join(', ');
    const takes = known.length === 0 ? 'none' : known.join(', ');
    return `unknown property ${unknown}; it takes ${takes}`;
  }
  const name = issue.path.join('.');
  const isMissing = issue.path.length === 1 && !Object.hasOwn(given ?? {}, name);
  return isMissing ? `${name} is missing` : `${name}: ${issue.message}`;
}

/**
 * JSON has no infinity, but 1e999 reads as one, and the schema takes no such
 * number. The largest double is out of a 32-bit float's range just the same,
 * so that the library can answer it by name (L-094).
 */
function withoutInfinity(given: unknown): unknown {
  const minScore = (given as { min_score?: unknown } | null)?.min_score;
  if (minScore !== Number.POSITIVE_INFINITY && minScore !== Number.NEGATIVE_INFINITY) return given;
  return { ...(given as object), min_score: Math.sign(minScore) * Number.MAX_VALUE };
}

/** What the library throws, as the JSON-RPC error that library contract 6.1 gives it. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (caught) {
    const { code, message, data } = toRpcError(toLecternError(caught));
    throw new ProtocolError(code, message, data);
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Tell the client when its list of prompts is no longer the one it may have. */
export function watchPrompts(
  library: LibraryService,
  context: LibrarySession,
  announce: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let known: string | undefined;
  let isStopped = false;
  const compare = async (): Promise<void> => {
    try {
      const digest = await library.promptDigest(context);
      const isNew = known !== undefined && digest !== known;
      known = digest;
      if (isNew && !isStopped) announce();
    } catch {
      // A workspace that cannot be resolved has no prompts; the calls themselves say why.
    }
  };
  const first = setImmediate(() => void compare());
  const stop = library.onChange(() => {
    if (timer !== undefined || isStopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      void compare();
    }, COMPARE_AFTER_MS);
    timer.unref();
  });
  return () => {
    isStopped = true;
    clearImmediate(first);
    clearTimeout(timer);
    stop();
  };
}
