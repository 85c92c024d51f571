import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { PromptListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { eventually } from '../eventually.ts';
import { ORCHARD, openCli } from './run-cli.ts';
import { startLectern } from './start-lectern.ts';

test('clients of both eras are told of changed prompts by the daemon that follows a killed one', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const catalog = await cli.write('orchard', ORCHARD);
  const old = await startLectern({ cli, catalogs: [catalog] });
  onTestFinished(() => old.close());
  const news: string[] = [];
  old.client.setNotificationHandler(
    PromptListChangedNotificationSchema,
    () => void news.push('old'),
  );
  const recent = new ClientV2(
    { name: 'v2', version: '0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await recent.connect(
    new StdioV2({
      command: process.execPath,
      args: [cli.bin, 'mcp'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: join(cli.root, 'home'),
        LECTERN_HOME: join(cli.root, 'state'),
      },
      cwd: cli.cwd,
    }),
  );
  onTestFinished(() => recent.close());
  expect(recent.getProtocolEra()).toBe('modern');
  recent.setNotificationHandler('notifications/prompts/list_changed', () => void news.push('new'));
  await recent.listen({ promptsListChanged: true });

  const record = readDaemonRecord(join(cli.root, 'state/daemon.json'))!;
  process.kill(record.pid, 'SIGKILL');
  await eventually(async () => {
    await old.call('list_plugins');
    expect(readDaemonRecord(join(cli.root, 'state/daemon.json'))?.pid).not.toBe(record.pid);
  });
  news.length = 0;
  let at = 0;
  await eventually(async () => {
    at += 1;
    const text = '---\ndescription: Water it.\n---\n\nWater.\n';
    await cli.write('orchard', { [`pruning/commands/water-${at}.md`]: text });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(new Set(news)).toEqual(new Set(['old', 'new']));
  }, 20_000);
});
