// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tokens under test are written so
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PromptListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { ask, INITIALIZE, JSON_HEADERS, readToken, writeConfig } from '../http/client.ts';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

const LISTEN = '[http]\nlisten = "127.0.0.1:0"\n';

interface HttpLectern {
  cli: Cli;
  state: string;
  url: string;
  token: string;
  /** What `lectern daemon status` says of the endpoint. */
  status(): Promise<{
    url: string | null;
    failure: string | null;
    answered: number;
    inFlight: number;
  } | null>;
}

/** The built product with the orchard enrolled, listening on a port that the system chose. */
async function startHttp(
  toml: string = LISTEN,
  onEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<HttpLectern> {
  const cli = await openCli();
  onEnd(() => cli.close());
  const state = join(cli.root, 'state');
  await mkdir(state, { mode: 0o700 });
  writeConfig(state, toml);
  await cli.run(['catalog', 'add', await cli.write('orchard', ORCHARD), '--enable']);
  const status = async () => {
    const [record] = (await cli.run(['daemon', 'status', '--json'])).records();
    return record!['http'] as Awaited<ReturnType<HttpLectern['status']>>;
  };
  const http = await status();
  return { cli, state, url: http?.url ?? '', token: readToken(state), status };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function connectV1({ url, token }: HttpLectern, query = ''): Promise<ClientV1> {
  const client = new ClientV1({ name: 'v1', version: '0' });
  const transport = new HttpV1(new URL(url + query), { requestInit: { headers: bearer(token) } });
  // biome-ignore lint/suspicious/noExplicitAny: its optional members do not fit exactOptionalPropertyTypes
  await client.connect(transport as any);
  onTestFinished(() => client.close());
  return client;
}

async function connectV2({ url, token }: HttpLectern, mode: 'legacy' | 'auto'): Promise<ClientV2> {
  const client = new ClientV2({ name: 'v2', version: '0' }, { versionNegotiation: { mode } });
  await client.connect(new HttpV2(new URL(url), { requestInit: { headers: bearer(token) } }));
  onTestFinished(() => client.close());
  return client;
}

/** One daemon for the tests that only ask. */
let shared: HttpLectern;
let closeShared = async () => {};
beforeAll(async () => {
  shared = await startHttp(LISTEN, (close) => (closeShared = close));
});
afterAll(() => closeShared());

const READING_TOOLS = ['get_skill', 'list_catalogs', 'list_plugins', 'search_skills', 'status'];

test('a v1 client over HTTP searches and loads a skill, with the reading tools only', async () => {
  const lectern = shared;
  const client = await connectV1(lectern);
  expect(client.getServerVersion()?.name).toBe('lectern');
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(READING_TOOLS);
  const found = await client.callTool({
    name: 'search_skills',
    arguments: { query: 'prune a fruit tree' },
  });
  expect(found.structuredContent).toMatchObject({
    matches: expect.arrayContaining([expect.objectContaining({ name: 'prune-tree' })]),
  });
  const loaded = await client.callTool({ name: 'get_skill', arguments: { uri: 'graft-plan' } });
  expect(loaded.structuredContent).toMatchObject({ content: '\n# graft-plan\n' });
  expect((await lectern.status())?.answered).toBeGreaterThanOrEqual(4);
});

test.each(['legacy', 'auto'] as const)(
  'a v2 client over HTTP works in the %s era',
  async (mode) => {
    const lectern = shared;
    const client = await connectV2(lectern, mode);
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(READING_TOOLS);
    const found = await client.callTool({
      name: 'search_skills',
      arguments: { query: 'prune a fruit tree' },
    });
    expect(found.structuredContent).toMatchObject({
      matches: expect.arrayContaining([expect.objectContaining({ name: 'prune-tree' })]),
    });
  },
);

test('clients of both eras are told when the list of prompts changes', async () => {
  const lectern = shared;
  const old = await connectV1(lectern);
  const news: string[] = [];
  old.setNotificationHandler(PromptListChangedNotificationSchema, () => void news.push('old'));
  const recent = await connectV2(lectern, 'auto');
  recent.setNotificationHandler('notifications/prompts/list_changed', () => void news.push('new'));
  await recent.listen({ promptsListChanged: true });
  // The old client's stream opens behind its back: write until both have heard.
  let at = 0;
  await eventually(async () => {
    at += 1;
    const text = '---\ndescription: Water it.\n---\n\nWater.\n';
    await lectern.cli.write('orchard', { [`pruning/commands/water-${at}.md`]: text });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(new Set(news)).toEqual(new Set(['old', 'new']));
  });
});

test('a client over HTTP goes on after the daemon was killed and born again', async () => {
  const lectern = await startHttp(LISTEN);
  const port = new URL(lectern.url).port;
  writeConfig(lectern.state, `[http]\nlisten = "127.0.0.1:${port}"\n`);
  const client = await connectV1(lectern);
  process.kill(readDaemonRecord(join(lectern.state, 'daemon.json'))!.pid, 'SIGKILL');
  await lectern.cli.run(['status']);
  const { structuredContent } = await client.callTool({ name: 'list_catalogs' });
  expect(structuredContent).toMatchObject({ catalogs: [{ name: 'orchard' }] });
});

test('more hosts at a time than are remembered are all answered, and told news', async () => {
  const lectern = await startHttp();
  const { url, token, cli } = lectern;
  const news = await fetch(`${url}?harness=first`, { headers: bearer(token) });
  const version = '2026-07-28';
  const name = 'search_skills';
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name,
      arguments: { query: 'graft a tree' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  const headers = {
    ...JSON_HEADERS,
    ...bearer(token),
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, at) => ask(`${url}?harness=h${at}`, { headers, body })),
  );
  for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
  await cli.run(['plugin', 'disable', 'orchard/*', '--yes']);
  const reader = news.body!.getReader();
  const { value } = await reader.read();
  expect(Buffer.from(value!).toString()).toContain('notifications/prompts/list_changed');
  await reader.cancel();
});

test('an address may name the workspace and the host, and nothing else', async () => {
  const lectern = shared;
  await lectern.cli.run(['workspace', 'init', 'empty']);
  const client = await connectV1(lectern, '?workspace=empty');
  const { structuredContent } = await client.callTool({ name: 'list_catalogs' });
  expect(structuredContent).toMatchObject({ workspace: 'empty' });
  const unknown = await ask(`${lectern.url}?worksapce=empty`, {
    headers: { ...JSON_HEADERS, ...bearer(lectern.token) },
    body: INITIALIZE,
  });
  expect(unknown).toMatchObject({ status: 400, body: expect.stringContaining('worksapce') });
});

test('no project is known: tokens stay, the marker is not consulted, project installs refuse', async () => {
  const lectern = await startHttp(`${LISTEN}allow_writes = true\n`);
  const { cli } = lectern;
  const body =
    'In ${TOME_PROJECT_DIR} and ${CLAUDE_PROJECT_DIR}, home ${TOME_ENV_SECRET:-unset}.\n';
  await cli.write('orchard', {
    'pruning/skills/where/SKILL.md': `---\nname: where\ndescription: Say where.\n---\n${body}`,
  });
  await cli.run(['workspace', 'init', 'marked']);
  // The daemon's own directory is the state root: a marker there would decide for everybody.
  await cli.write('state/.lectern', { 'config.toml': 'workspace = "marked"\n' });
  const client = await connectV1(lectern, '?harness=claude-code');
  const loaded = await client.callTool({ name: 'get_skill', arguments: { uri: 'where' } });
  expect(loaded.structuredContent).toMatchObject({
    content: 'In ${TOME_PROJECT_DIR} and ${CLAUDE_PROJECT_DIR}, home unset.\n',
  });
  const { structuredContent } = await client.callTool({ name: 'list_catalogs' });
  expect(structuredContent).toMatchObject({ workspace: 'global' });

  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('meta');
  const install = (scope: string) =>
    client.callTool({ name: 'meta', arguments: { skill_id: 'convert-marketplace', scope } });
  await expect(install('project')).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('scope: "global"'),
  });
  await install('global');
  expect(existsSync(join(cli.root, 'home/.claude/skills/convert-marketplace/SKILL.md'))).toBe(true);
});

test('a tool that writes is neither listed nor run without http.allow_writes', async () => {
  const lectern = shared;
  const client = await connectV1(lectern, '?harness=claude-code');
  await expect(
    client.callTool({
      name: 'meta',
      arguments: { skill_id: 'convert-marketplace', scope: 'global' },
    }),
  ).rejects.toMatchObject({ message: expect.stringContaining('http.allow_writes') });
  expect(existsSync(join(lectern.cli.root, 'home/.claude'))).toBe(false);
});

test('the host entries of the documentation reach the daemon', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/http.md'), 'utf8');
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map((match) => JSON.parse(match[1]!));
  const entries = blocks.map((block) => (block.mcpServers ?? block.servers).lectern);
  expect(entries).toHaveLength(3);
  for (const { url, headers } of entries) {
    const { pathname, search } = new URL(url);
    const reached = await ask(new URL(pathname + search, shared.url).href, {
      headers: {
        ...JSON_HEADERS,
        authorization: headers.Authorization.replace(/\$\{.*\}/, shared.token),
      },
      body: INITIALIZE,
    });
    expect(reached).toMatchObject({ status: 200, body: expect.stringContaining('"lectern"') });
  }
});

test('requests without the token, from web pages, too large or elsewhere are turned away', async () => {
  const { url, token, state } = shared;
  expect((await stat(join(state, 'http-token'))).mode & 0o777).toBe(0o600);
  const status = async (headers: Record<string, string>, more: object = {}) =>
    (await ask(url, { headers: { ...JSON_HEADERS, ...headers }, body: INITIALIZE, ...more }))
      .status;
  expect(await status(bearer(token))).toBe(200);
  expect(await status({})).toBe(401);
  expect(await status(bearer('x'.repeat(43)))).toBe(401);
  expect(await status({ ...bearer(token), host: 'evil.example' })).toBe(403);
  expect(await status({ ...bearer(token), origin: 'http://evil.example' })).toBe(403);
  expect(await status(bearer(token), { method: 'DELETE' })).toBe(405);
  expect(await status({ ...bearer(token), 'content-type': 'text/plain' })).toBe(415);
  const large = Buffer.alloc(1024 * 1024 + 1, ' ');
  expect(await status(bearer(token), { body: large })).toBe(413);
  expect(await status(bearer(token), { body: large, isChunked: true })).toBe(413);
  const elsewhere = await ask(url.replace('/mcp', '/.well-known/oauth-protected-resource'), {
    method: 'GET',
  });
  expect(elsewhere.status).toBe(404);
  expect(await status(bearer(token))).toBe(200);
});

test('an address that is no loopback address is refused in status and log, and nothing listens', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const state = join(cli.root, 'state');
  await mkdir(state, { mode: 0o700 });
  writeConfig(state, '[http]\nlisten = "0.0.0.0:7421"\n');
  const [report] = (await cli.run(['status', '--json'])).records();
  expect(JSON.stringify(report!['config'])).toContain('no loopback address');
  const [daemon] = (await cli.run(['daemon', 'status', '--json'])).records();
  expect(daemon!['http']).toBeNull();
  const log = (await cli.run(['daemon', 'logs', '--json', '--level', 'error'])).stdout;
  expect(log).toContain('no loopback address');
});

test('a port that is taken is named in both statuses', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const state = join(cli.root, 'state');
  await mkdir(state, { mode: 0o700 });
  writeConfig(state, `[http]\nlisten = "${new URL(shared.url).host}"\n`);
  const [report] = (await cli.run(['status', '--json'])).records();
  expect(JSON.stringify(report!['notes'])).toContain('another program listens there');
  const [daemon] = (await cli.run(['daemon', 'status', '--json'])).records();
  expect(daemon!['http']).toMatchObject({
    url: null,
    failure: expect.stringContaining('another program listens there'),
  });
});

test('SIGHUP moves, opens and closes the port; a half-written file changes nothing', async () => {
  const lectern = await startHttp();
  const { pid } = readDaemonRecord(join(lectern.state, 'daemon.json'))!;
  const reloadWith = (toml: string) => {
    writeConfig(lectern.state, toml);
    process.kill(pid, 'SIGHUP');
  };
  reloadWith('[http\n');
  await eventually(async () => {
    const { stdout } = await lectern.cli.run(['daemon', 'logs', '--json', '--level', 'error']);
    expect(stdout).toContain('config.toml is ignored');
  });
  expect((await lectern.status())?.url).toBe(lectern.url);
  reloadWith('[http]\nlisten = "localhost:0"\n');
  const moved = await eventually(async () => {
    const url = (await lectern.status())?.url;
    expect(url).not.toBe(lectern.url);
    return url!;
  });
  await expect(isOpen(lectern.url)).resolves.toBe(false);
  await expect(isOpen(moved)).resolves.toBe(true);
  writeConfig(lectern.state, '');
  expect((await lectern.cli.run(['daemon', 'reload', '--json'])).records()).toEqual([
    { reloaded: true },
  ]);
  await eventually(async () => expect(await isOpen(moved)).toBe(false));
  expect(await lectern.status()).toBeNull();
});

test('a token that is taken away and cannot be made anew is served no more, and reload says so', async () => {
  const lectern = await startHttp();
  const token = join(lectern.state, 'http-token');
  await rm(token);
  await mkdir(token);
  const { stderr } = await lectern.cli.run(['daemon', 'reload']);
  expect(stderr).toContain('nothing is served over HTTP');
  expect(await isOpen(lectern.url)).toBe(false);
  expect(await lectern.status()).toMatchObject({ url: null });
  await rm(token, { recursive: true });
  await lectern.cli.run(['daemon', 'reload']);
  expect(await isOpen((await lectern.status())!.url!)).toBe(true);
});

test('closing the daemon closes the port, with a client still connected', async () => {
  const lectern = await startHttp();
  await connectV1(lectern);
  const record = readDaemonRecord(join(lectern.state, 'daemon.json'))!;
  process.kill(record.pid, 'SIGTERM');
  await eventually(() => expect(isAlive(record)).toBe(false));
  expect(await isOpen(lectern.url)).toBe(false);
  const { stdout } = await lectern.cli.run(['daemon', 'logs', '--json', '--level', 'error']);
  expect(stdout).toBe('');
});

test('a client whose request never arrives whole holds up neither SIGTERM nor the closing of the databases', async () => {
  const lectern = await startHttp();
  const { port } = new URL(lectern.url);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${lectern.token}`,
    'Content-Length: 100',
  ];
  socket.on('error', () => {}).write(`${head.join('\r\n')}\r\n\r\n{`);
  await eventually(async () => expect((await lectern.status())?.inFlight).toBe(1));
  expect(await lectern.cli.run(['daemon', 'drain', '--timeout', '0'])).toMatchObject({
    code: 10,
    stdout: 'still in flight after 0 s: 1 request\n',
  });
  const record = readDaemonRecord(join(lectern.state, 'daemon.json'))!;
  process.kill(record.pid, 'SIGTERM');
  await eventually(() => expect(isAlive(record)).toBe(false));
  const { stdout } = await lectern.cli.run(['daemon', 'logs', '--json', '--level', 'error']);
  expect(stdout).toBe('');
  for (const name of ['state.db-wal', 'index.db-wal']) {
    const left = await stat(join(lectern.state, name)).catch(() => ({ size: 0 }));
    expect(left.size).toBe(0);
  }
});

function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
