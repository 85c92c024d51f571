import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readToken, writeConfig } from '../http/client.ts';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

/** Other people's clients and checks against the built product (design 8: test peers). */

const ROOT = join(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'lectern.js');
const INSPECTOR = join(ROOT, 'node_modules', '.bin', 'mcp-inspector-cli');
const CONFORMANCE = join(ROOT, 'node_modules', '@modelcontextprotocol/conformance/dist/index.js');

const run = promisify(execFile);

async function openOrchard(): Promise<Cli> {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const added = await cli.run(['catalog', 'add', await cli.write('orchard', ORCHARD), '--enable']);
  expect(added.code, added.stderr).toBe(0);
  return cli;
}

async function inspect(cli: Cli, ...args: string[]): Promise<Record<string, unknown>> {
  const env = ['-e', `LECTERN_HOME=${join(cli.root, 'state')}`];
  const words = [INSPECTOR, ...env, '--cli', process.execPath, BIN, 'mcp', ...args];
  const { stdout } = await run(process.execPath, words, { cwd: cli.cwd });
  return JSON.parse(stdout);
}

test('L-149 the Inspector’s CLI lists the six tools and searches', async (context) => {
  if (!existsSync(INSPECTOR)) {
    console.warn('SKIPPED: the Inspector’s CLI is not installed');
    context.skip();
  }
  const cli = await openOrchard();
  const { tools } = (await inspect(cli, '--method', 'tools/list')) as { tools: { name: string }[] };
  expect(tools.map((tool) => tool.name)).toEqual([
    'get_skill',
    'list_catalogs',
    'list_plugins',
    'meta',
    'search_skills',
    'status',
  ]);
  const words = ['--tool-name', 'search_skills', '--tool-arg', 'query=prune a tree'];
  const answer = (await inspect(cli, '--method', 'tools/call', ...words)) as {
    structuredContent: { matches: object[] };
  };
  expect(answer.structuredContent.matches[0]).toMatchObject({
    catalog: 'orchard',
    plugin: 'pruning',
    name: 'prune-tree',
  });
});

/**
 * Scenarios of the official suite that ask for nothing but the protocol; the
 * others call fixture tools, which have no place in a product.
 */
const SCENARIOS: readonly [name: string, checks: number][] = [
  ['server-initialize', 1],
  ['ping', 1],
  ['tools-list', 1],
  ['prompts-list', 1],
  ['resources-list', 1],
  ['dns-rebinding-protection', 2],
];

test('the official conformance suite passes where it needs no fixture tools', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const state = join(cli.root, 'state');
  await mkdir(state, { mode: 0o700 });
  writeConfig(state, '[http]\nlisten = "127.0.0.1:0"\n');
  const [record] = (await cli.run(['daemon', 'start', '--json'])).records();
  expect(record).toBeDefined();
  const [status] = (await cli.run(['daemon', 'status', '--json'])).records();
  const { url } = status!['http'] as { url: string };
  const bridged = await openBridge(new URL(url), readToken(state));
  for (const [scenario, checks] of SCENARIOS) {
    const words = [CONFORMANCE, 'server', '--url', bridged, '--scenario', scenario];
    const { stdout } = await run(process.execPath, words, { cwd: cli.cwd });
    expect(stdout, scenario).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
  }
}, 120_000);

/**
 * The suite has no way to send a token, so a bridge adds it. Its own address
 * becomes the daemon's; any other Host, and every Origin, goes on as it came.
 */
async function openBridge(target: URL, token: string): Promise<string> {
  const server = createServer((incoming, answer) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const host = incoming.headers.host === own ? target.host : incoming.headers.host;
    const sent = request(target, {
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, host, authorization: `Bearer ${token}` },
    });
    sent.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    sent.once('error', () => answer.destroy());
    answer.once('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
