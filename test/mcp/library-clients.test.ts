import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, test } from 'vitest';
import { enrolOrchard, startLibrary } from '../library/fixture.ts';
import { connectTo } from './connect-to.ts';

/** Every form of answer, whose structured content a client checks against the advertised schema. */
const CALLS: [string, Record<string, unknown>][] = [
  ['search_skills', { query: 'graft' }],
  ['search_skills', { query: 'graft', min_score: 9 }],
  ['get_skill', { uri: 'graft-plan', include_resource_bodies: true }],
  ['get_skill', { uri: 'graft-plan', metadata_only: true }],
  ['get_skill', { uri: 'commands', kind: 'command' }],
  ['list_plugins', { enabled_only: false }],
  ['list_catalogs', {}],
  ['status', { include_doctor: true }],
  ['meta', { skill_id: 'convert-marketplace' }],
];

test('the v1 client takes every answer for what its schema says', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const client = new ClientV1({ name: 'v1', version: '0' });
  await client.connect(connectTo(lectern, 'claude-code'));
  expect(client.getServerVersion()?.name).toBe('lectern');
  expect((await client.listTools()).tools).toHaveLength(6);
  for (const [name, given] of CALLS) {
    const answer = await client.callTool({ name, arguments: given });
    expect(answer.isError ?? false).toBe(false);
    expect(answer.structuredContent).toBeDefined();
  }
  expect((await client.listPrompts()).prompts).toHaveLength(2);
  await expect(
    client.callTool({ name: 'get_skill', arguments: { uri: 'nope' } }),
  ).rejects.toMatchObject({ code: -32602, data: { code: 'unknown_skill' } });
});

test('the v2 client takes every answer for what its schema says', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const client = new ClientV2({ name: 'v2', version: '0' });
  await client.connect(connectTo(lectern, 'claude-code'));
  expect((await client.listTools()).tools).toHaveLength(6);
  for (const [name, given] of CALLS) {
    const answer = await client.callTool({ name, arguments: given });
    expect(answer.structuredContent).toBeDefined();
  }
  const { messages } = await client.getPrompt({
    name: 'pruning__prune-tree',
    arguments: { args: 'the oak' },
  });
  expect(messages[0]!.content).toEqual({ type: 'text', text: 'Prune the oak.\n' });
});

test('an answer names the index clock that it is made from, as the welcome does', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const client = new ClientV2({ name: 'v2', version: '0' });
  await client.connect(connectTo(lectern));
  const search = () => client.callTool({ name: 'search_skills', arguments: { query: 'graft' } });
  const before = lectern.library.parts.indexer.view.clock;
  expect((await search())._meta).toEqual({ 'lectern/clock': before });
  await lectern.library.parts.indexer.reindex(null, true);
  const after = lectern.library.parts.indexer.view.clock;
  expect(after).toBeGreaterThan(before);
  expect((await search())._meta).toEqual({ 'lectern/clock': after });
});
