// biome-ignore-all lint/suspicious/noExplicitAny: answers are looked at by their JSON shape
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeLibraryHandshake } from '../../src/mcp/library/handshake.ts';
import { INSTRUCTIONS } from '../../src/mcp/library/instructions.ts';
import { LIBRARY_TOOLS } from '../../src/mcp/library/tools.ts';
import { openLibrarySurface, READ_ONLY_LIBRARY_TOOLS } from '../../src/mcp/library.ts';
import type { SessionContext } from '../../src/mcp/surface.ts';
import {
  enrolOrchard,
  entryText,
  PRUNING,
  startLibrary,
  type TestLibrary,
  writeTree,
} from '../library/fixture.ts';

/** One client of the library surface, speaking raw messages. */
class Client {
  readonly messages: any[] = [];
  readonly peer: ReturnType<ReturnType<typeof openLibrarySurface>>;
  readonly #waiting: { matches(message: any): boolean; resolve(message: any): void }[] = [];
  #nextId = 1;

  constructor(lectern: TestLibrary, changes: Partial<SessionContext> = {}) {
    const context: SessionContext = {
      id: 1,
      surface: 'library',
      ...lectern.session,
      pid: 1,
      readFile: () => Promise.reject(new Error('not in this test')),
      ...changes,
    };
    this.peer = openLibrarySurface(lectern.library)(context, (text, inReplyTo) => {
      const message = { ...JSON.parse(text), inReplyTo };
      this.messages.push(message);
      for (const waiter of this.#waiting) if (waiter.matches(message)) waiter.resolve(message);
    });
    onTestFinished(() => this.peer.close());
  }

  send(message: object | string): void {
    this.peer.receive(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  }

  /** The first message, past or future, that fits. */
  next(matches: (message: any) => boolean): Promise<any> {
    const found = this.messages.find(matches);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  ask(method: string, params: object = {}): Promise<any> {
    const id = this.#nextId++;
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.next((message) => message.id === id && message.method === undefined);
  }

  async begin(protocolVersion = '2025-06-18'): Promise<any> {
    const answer = await this.ask('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '0' },
    });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  call(name: string, given: object = {}): Promise<any> {
    return this.ask('tools/call', { name, arguments: given });
  }
}

async function startClient(changes: Partial<SessionContext> = {}) {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern);
  const client = new Client(lectern, changes);
  await client.begin();
  return { lectern, client, root };
}

test('the handshake names the server, its capabilities and how to use it', async () => {
  const client = new Client(startLibrary());
  const { result } = await client.begin('2024-11-05');
  expect(result).toMatchObject({
    protocolVersion: '2024-11-05',
    capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } },
    serverInfo: { name: 'lectern' },
  });
  for (const words of [
    'search_skills',
    'get_skill',
    'metadata_only',
    'list_plugins',
    'list_catalogs',
    'status',
    'without loading the full body',
  ]) {
    expect(result.instructions).toContain(words);
  }
  expect(result.instructions).not.toContain('get_skill_info');
});

test('L-149 tools/list has exactly the six names, in alphabetical order', async () => {
  const { client } = await startClient();
  const { result } = await client.ask('tools/list');
  expect(result.tools.map((tool: any) => tool.name)).toEqual([
    'get_skill',
    'list_catalogs',
    'list_plugins',
    'meta',
    'search_skills',
    'status',
  ]);
});

test('every text that a model reads is under 2048 characters and has its pinned fragments', () => {
  expect(INSTRUCTIONS.length).toBeLessThan(2048);
  const text = Object.fromEntries(LIBRARY_TOOLS.map((tool) => [tool.name, tool.description]));
  for (const description of Object.values(text)) {
    expect(description.length).toBeLessThan(2048);
    expect(description).toContain('Use when');
  }
  expect(text['search_skills']).toContain('most relevant skills');
  expect(text['search_skills']).toContain('get_skill');
  expect(text['get_skill']).toContain('frontmatter stripped');
  expect(text['get_skill']).toContain('metadata_only');
  expect(text['get_skill']).toContain('when_to_use');
  expect(text['list_plugins']).toContain('enabled plugins');
  expect(text['list_catalogs']).toContain('catalogs enrolled');
  expect(text['status']!.toLowerCase()).toMatch(/snapshot of this .* environment/);
});

test('input schemas are flat objects without unions', async () => {
  const { client } = await startClient();
  const { result } = await client.ask('tools/list');
  for (const tool of result.tools) {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(tool.inputSchema)).not.toMatch(/anyOf|oneOf|allOf|\$ref|\$schema/);
    expect(tool.outputSchema.type).toBe('object');
  }
});

test('an answer is structured content and one text block of the same JSON', async () => {
  const { client } = await startClient();
  const { result } = await client.call('search_skills', { query: 'graft' });
  expect(result.content).toHaveLength(1);
  expect(result.content[0].type).toBe('text');
  expect(result.content[0].text).toBe(JSON.stringify(result.structuredContent));
  expect(Object.keys(result.structuredContent)).toEqual([
    'matches',
    'corpus_size',
    'scoring',
    'relevance',
  ]);
  expect(Object.keys(result.structuredContent.matches[0])).toEqual([
    'catalog',
    'plugin',
    'name',
    'kind',
    'description',
    'plugin_version',
    'path',
    'score',
  ]);
});

test('L-112 an unknown input property is rejected by every tool', async () => {
  const { client } = await startClient();
  const required: Record<string, object> = {
    search_skills: { query: 'x' },
    get_skill: { uri: 'graft-plan' },
    meta: { skill_id: 'convert-marketplace' },
  };
  for (const { name } of LIBRARY_TOOLS) {
    const { error } = await client.call(name, { ...required[name], surprise: 1 });
    expect(error.code).toBe(-32602);
    expect(error).not.toHaveProperty('data');
    expect(error.message).toContain('surprise');
  }
});

test('bad types, unknown values and a missing query are -32602 without data', async () => {
  const { client } = await startClient();
  for (const given of [
    { query: 5 },
    {},
    { query: 'x', top_k: 1.5 },
    { query: 'x', top_k: -1 },
    { query: 'x', kind: 'widget' },
    { query: 'x', rerank: 'yes' },
  ]) {
    const { error } = await client.call('search_skills', given);
    expect(error.code).toBe(-32602);
    expect(error).not.toHaveProperty('data');
  }
});

test('wrong arguments are told by name, and an unknown one with those there are', async () => {
  const { client } = await startClient();
  const said = async (name: string, given: object) =>
    (await client.call(name, given)).error.message;
  expect(await said('search_skills', {})).toBe(
    'invalid arguments for search_skills: query is missing',
  );
  expect(await said('search_skills', { query: 5 })).toMatch(/: query: .*expected string/);
  expect(await said('list_plugins', { filter: 'x' })).toBe(
    'invalid arguments for list_plugins: unknown property "filter"; it takes catalog, enabled_only, kind',
  );
  expect(await said('list_catalogs', { a: 1, b: 2 })).toMatch(/"a", "b"; it takes none$/);
});

test('L-091 an unknown kind is -32602', async () => {
  const { client } = await startClient();
  expect((await client.call('search_skills', { query: 'x', kind: 'widget' })).error.code).toBe(
    -32602,
  );
});

test('optional scalars accept null, flags with a default do not', async () => {
  const { client } = await startClient();
  const nulls = {
    top_k: null,
    catalog: null,
    plugin: null,
    kind: null,
    rerank: null,
    min_score: null,
  };
  expect((await client.call('search_skills', { query: 'graft', ...nulls })).result).toBeDefined();
  expect(
    (await client.call('get_skill', { uri: 'graft-plan', metadata_only: null })).error.code,
  ).toBe(-32602);
});

test('L-085 a top_k out of range is -32602 without data', async () => {
  const { client } = await startClient();
  for (const top_k of [0, 101]) {
    const { error } = await client.call('search_skills', { query: 'x', top_k });
    expect(error.code).toBe(-32602);
    expect(error.message).toContain('between 1 and 100');
    expect(error).not.toHaveProperty('data');
  }
});

test('L-094 an infinite min_score is invalid_min_score', async () => {
  const { client } = await startClient();
  client.send(
    '{"jsonrpc":"2.0","id":"inf","method":"tools/call","params":{"name":"search_skills","arguments":{"query":"x","min_score":1e999}}}',
  );
  const { error } = await client.next((message) => message.id === 'inf');
  expect(error).toMatchObject({ code: -32602, data: { code: 'invalid_min_score' } });
});

test('L-089 a failure is a JSON-RPC error with its data in order', async () => {
  const { client } = await startClient();
  const { error } = await client.call('search_skills', { query: 'x', catalog: 'orchid' });
  expect(error.code).toBe(-32602);
  expect(JSON.stringify(error.data)).toBe(
    '{"code":"unknown_catalog","retryable":false,"catalog":"orchid"}',
  );
});

test('L-118 an ambiguous name carries its candidates in data and message', async () => {
  const { client } = await startClient();
  const { error } = await client.call('get_skill', {
    catalog: 'orchard',
    plugin: 'pruning',
    name: 'graft*',
  });
  expect(JSON.stringify(error.data)).toBe(
    '{"code":"ambiguous_name","retryable":false,"catalog":"orchard","plugin":"pruning","name":"graft*","candidates":[{"name":"graft-audit","kind":"skill"},{"name":"graft-plan","kind":"skill"}]}',
  );
  expect(error.message).toContain('graft-audit (skill), graft-plan (skill)');
});

test('an unknown tool is -32602', async () => {
  const { client } = await startClient();
  expect((await client.call('get_skill_info')).error.code).toBe(-32602);
});

test('a workspace that does not exist is told by every call, not by the handshake', async () => {
  const lectern = startLibrary();
  const client = new Client(lectern, { workspaceFlag: 'nope' });
  expect((await client.begin()).result).toBeDefined();
  expect((await client.call('list_catalogs')).error).toMatchObject({
    code: -32603,
    data: { code: 'workspace_not_found', retryable: false, remediation: 'lectern workspace init' },
  });
});

test('prompts are listed and rendered', async () => {
  const { client } = await startClient();
  const listed = await client.ask('prompts/list');
  expect(listed.result.prompts).toEqual([
    { name: 'add-tome-conversion-skill', description: expect.any(String) },
    {
      name: 'pruning__prune-tree',
      description: 'Prune one tree safely.',
      arguments: [{ name: 'args', description: expect.stringContaining('args'), required: false }],
    },
  ]);
  const got = await client.ask('prompts/get', {
    name: 'pruning__prune-tree',
    arguments: { args: 'the oak' },
  });
  expect(got.result).toEqual({
    description: 'Prune one tree safely.',
    messages: [{ role: 'user', content: { type: 'text', text: 'Prune the oak.\n' } }],
  });
});

test('prompt arguments that are no strings become text', async () => {
  const { client } = await startClient();
  const got = await client.ask('prompts/get', {
    name: 'pruning__prune-tree',
    arguments: { args: [1, 2] },
  });
  expect(got.result.messages[0].content.text).toBe('Prune [1,2].\n');
});

test('L-174 an unknown prompt and mismatched arguments carry the name', async () => {
  const { client } = await startClient();
  expect((await client.ask('prompts/get', { name: 'nope' })).error).toMatchObject({
    code: -32602,
    data: { code: 'prompt_not_found', retryable: false, name: 'nope' },
  });
  const { error } = await client.ask('prompts/get', {
    name: 'pruning__prune-tree',
    arguments: { tree: 'oak' },
  });
  expect(error.code).toBe(-32602);
  expect(JSON.stringify(error.data)).toBe(
    '{"code":"prompt_argument_mismatch","retryable":false,"name":"pruning__prune-tree","expected":0,"supplied":1}',
  );
});

test('L-180 enabling a command while the server runs is announced', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, { pruning: PRUNING }, { enable: false });
  const client = new Client(lectern);
  await client.begin();
  const before = await client.ask('prompts/list');
  expect(before.result.prompts).toHaveLength(1);
  await lectern.ask('plugin.enable', { tokens: ['*'] });
  await client.next((message) => message.method === 'notifications/prompts/list_changed');
  const after = await client.ask('prompts/list');
  expect(after.result.prompts.map((it: any) => it.name)).toContain('pruning__prune-tree');
});

test('a change that leaves the prompts alone is not announced', async () => {
  const { lectern, client, root } = await startClient();
  await client.ask('prompts/list');
  writeTree(root, {
    'plugins/pruning/skills/new/SKILL.md': entryText({ name: 'new', description: 'A new skill.' }),
  });
  await lectern.indexer.reindex(null);
  writeTree(root, {
    'plugins/pruning/commands/new.md': entryText({ name: 'new', description: 'A new command.' }),
  });
  await lectern.indexer.reindex(null);
  await client.next((message) => message.method === 'notifications/prompts/list_changed');
  expect(
    client.messages.filter((it) => it.method === 'notifications/prompts/list_changed'),
  ).toHaveLength(1);
});

test('what is no message is answered, and the session goes on', async () => {
  const { client } = await startClient();
  client.send('{not json');
  expect(await client.next((it) => it.error?.code === -32700)).toMatchObject({ id: null });
  client.send('[]');
  client.send('{"jsonrpc":"1.0","id":"old","method":"ping"}');
  expect((await client.next((it) => it.id === 'old')).error.code).toBe(-32600);
  client.send('{"jsonrpc":"2.0","id":{},"method":"ping"}');
  expect((await client.ask('ping')).result).toEqual({});
});

test('requests are counted until they are answered', async () => {
  const { client } = await startClient();
  expect(client.peer.inFlight).toBe(0);
  const answer = client.call('search_skills', { query: 'graft' });
  expect(client.peer.inFlight).toBe(1);
  const { inReplyTo, id } = await answer;
  expect(inReplyTo).toBe(id);
  expect(client.peer.inFlight).toBe(0);
});

test('a cancelled request is no longer counted', async () => {
  const { client } = await startClient();
  client.send({
    jsonrpc: '2.0',
    id: 'gone',
    method: 'tools/call',
    params: { name: 'status', arguments: {} },
  });
  client.send({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 'gone' },
  });
  expect(client.peer.inFlight).toBe(0);
});

test('the 2026-07-28 revision is served without a handshake', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const client = new Client(lectern);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const discovered = await client.ask('server/discover', { _meta });
  expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
  const { result } = await client.ask('tools/call', {
    name: 'search_skills',
    arguments: { query: 'graft' },
    _meta,
  });
  expect(result.structuredContent.matches[0].name).toMatch(/^graft-/);
  const { error } = await client.ask('tools/call', {
    name: 'search_skills',
    arguments: { query: 'x', catalog: 'orchid' },
    _meta,
  });
  expect(error).toMatchObject({ code: -32602, data: { code: 'unknown_catalog' } });
});

test("the project's own skills are found beside the catalogs", async () => {
  const lectern = startLibrary();
  writeTree(lectern.cwd, {
    '.claude/skills/deploy/SKILL.md': entryText({
      name: 'deploy',
      description: 'Deploy this project.',
    }),
  });
  const client = new Client(lectern);
  await client.begin();
  const { result } = await client.call('search_skills', { query: 'deploy' });
  expect(result.structuredContent.matches[0]).toMatchObject({
    catalog: 'project',
    plugin: 'project',
    name: 'deploy',
  });
});

test('a repository without skills of its own is no catalog', async () => {
  const lectern = startLibrary();
  writeTree(lectern.cwd, { '.git/HEAD': 'ref: refs/heads/main\n' });
  const client = new Client(lectern);
  await client.begin();
  const { result } = await client.call('list_catalogs');
  expect(result.structuredContent).toEqual({ workspace: 'global', catalogs: [] });
});

test('the Skills extension lists, gets and reads enabled skills and their files', async () => {
  const { client } = await startClient();
  const listed = await client.ask('skills/list');
  const uri = 'skill://library/orchard/pruning/graft-plan/SKILL.md';
  expect(listed.result.skills).toContainEqual({
    uri,
    frontmatter: { name: 'graft-plan', description: 'Plan a graft on a tree.' },
    resources: 'dynamic',
  });
  expect((await client.ask('skills/get', { uri })).result.skill.uri).toBe(uri);
  const read = await client.ask('resources/read', { uri });
  expect(read.result.contents[0]).toMatchObject({ uri, mimeType: 'text/markdown' });
  expect(read.result.contents[0].text).toContain('# Graft plan');
  const folder = await client.ask('resources/directory/read', {
    uri: uri.replace('/SKILL.md', ''),
  });
  expect(folder.result.resources).toEqual([
    { uri, name: 'SKILL.md' },
    {
      uri: uri.replace('SKILL.md', 'references'),
      name: 'references',
      mimeType: 'inode/directory',
    },
  ]);
  const dates = uri.replace('SKILL.md', 'references/dates.md');
  expect((await client.ask('resources/read', { uri: dates })).result.contents[0].text).toBe(
    'March\n',
  );
});

test('the Skills extension reads nothing outside a skill', async () => {
  const { client, root } = await startClient();
  const folder = join(root, 'plugins/pruning/skills/graft-plan');
  symlinkSync(join(root, 'tome-catalog.toml'), join(folder, 'link.toml'));
  symlinkSync(root, join(folder, 'up'));
  const base = 'skill://library/orchard/pruning/graft-plan';
  for (const uri of [
    `${base}/link.toml`,
    `${base}/up/tome-catalog.toml`,
    `${base}/..%2f..%2ftome-plugin.toml`,
    `${base}/%2e%2e/graft-audit/../../../tome-plugin.toml`,
    `${base}/nope.md`,
  ]) {
    expect((await client.ask('resources/read', { uri })).error).toBeDefined();
  }
});

test('only meta may not be sent twice', () => {
  expect(READ_ONLY_LIBRARY_TOOLS).toEqual([
    'get_skill',
    'list_catalogs',
    'list_plugins',
    'search_skills',
    'status',
  ]);
});

test('the recorded handshake is what a session answers', async () => {
  const snapshot = await makeLibraryHandshake();
  const { client } = await startClient();
  const listed = await client.ask('tools/list');
  expect(snapshot.toolsList).toBe(JSON.stringify(listed.result));
  expect(Object.keys(snapshot.initialize)).toContain('2025-11-25');
  const fresh = new Client(startLibrary());
  const begun = await fresh.begin('2025-11-25');
  expect(snapshot.initialize['2025-11-25']).toBe(JSON.stringify(begun.result));
  expect(snapshot.discover).toContain('2026-07-28');
  expect(snapshot.toolsListStateless).toContain('search_skills');
});

test('a malformed config.toml is shown by status and fails no tool', async () => {
  const { lectern, client } = await startClient();
  writeFileSync(join(lectern.paths.root, 'config.toml'), 'nope = 1\n');
  const { result } = await client.call('status');
  expect(result.structuredContent.status).toMatchObject({
    overall: 'unhealthy',
    config: { ok: false, message: expect.stringContaining('nope') },
  });
  expect((await client.call('list_plugins')).result).toBeDefined();
});
