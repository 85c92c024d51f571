import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readDaemonRecord, readToken } from '../../src/protocol/link/daemon-file.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { parsed, RawClient } from '../daemon/raw-client.ts';
import { eventually } from '../eventually.ts';
import { ORCHARD, openCli } from './run-cli.ts';
import { startLectern } from './start-lectern.ts';

test('a session is welcomed with the index clock that answers carry, and a save moves both', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const catalog = await cli.write('orchard', ORCHARD);
  const lectern = await startLectern({ cli, catalogs: [catalog] });
  onTestFinished(() => lectern.close());
  const record = readDaemonRecord(join(cli.root, 'state/daemon.json'))!;

  const answered = async () => {
    const { _meta } = await lectern.client.callTool({ name: 'list_plugins', arguments: {} });
    return _meta?.['lectern/clock'] as number;
  };
  const welcomed = async () => {
    const client = new RawClient(record.socket);
    onTestFinished(() => void client.socket.destroy());
    // Of a newer client the daemon would retire.
    client.hello(readToken(record), { version: '0.0.1' });
    return Number(parsed(await client.frame(FRAME.welcome))['clock']);
  };
  // Once nothing moves between the two: reading and embedding may still go on.
  const settled = () =>
    eventually(async () => {
      const clock = await answered();
      expect(await welcomed()).toBe(clock);
      return clock;
    });

  const before = await settled();
  expect(before).toBeGreaterThan(0);
  await cli.write('orchard', {
    'skills/graft-tree/SKILL.md': '---\nname: graft-tree\ndescription: Graft a tree\n---\nCut.\n',
  });
  expect(await answered()).toBeGreaterThan(before);
  expect(await settled()).toBeGreaterThan(before);
});
