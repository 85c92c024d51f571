import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { ORCHARD, openCli } from './run-cli.ts';
import { startLectern } from './start-lectern.ts';

/** Library contract 9.3 gives what is in flight 5 s; a process that is still there after twice that hangs. */
const END_MS = 10_000;

test('SIGTERM answers what is in flight, writes its logs back and leaves nothing behind', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const state = join(cli.root, 'state');
  const lectern = await startLectern({ cli, catalogs: [await cli.write('orchard', ORCHARD)] });
  await cli.run(['workspace', 'init', 'team']);
  const wal = (name: string) => statSync(join(state, name), { throwIfNoEntry: false })?.size ?? 0;
  expect(wal('state.db-wal') + wal('index.db-wal')).toBeGreaterThan(0);

  const record = readDaemonRecord(join(state, 'daemon.json'))!;
  const answers = Array.from({ length: 20 }, (_, at) =>
    lectern.call('search_skills', { query: `prune a fruit tree ${at}` }),
  );
  await answers[0];
  process.kill(record.pid, 'SIGTERM');
  for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('matches');
  // The client's end keeps its proxy from starting a successor.
  await lectern.client.close();
  await eventually(() => expect(isAlive(record)).toBe(false), END_MS);

  const successor = readDaemonRecord(join(state, 'daemon.json'));
  if (successor !== undefined) {
    process.kill(successor.pid, 'SIGTERM');
    await eventually(() => expect(isAlive(successor)).toBe(false), END_MS);
  }
  expect(wal('state.db-wal')).toBe(0);
  expect(wal('index.db-wal')).toBe(0);
  expect(readdirSync(state)).not.toContain('daemon.json');
  expect(readdirSync(state).filter((name) => name.endsWith('.sock'))).toEqual([]);
  const { stdout } = await cli.run(['daemon', 'logs', '--json', '--level', 'error']);
  expect(stdout).toBe('');
});
