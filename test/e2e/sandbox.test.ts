import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { identifyStateRoot } from '../../src/core/state-root-id.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { withoutLocalSockets } from '../wire/without-sockets.ts';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'lectern.js');

/** A mount namespace of its own is the sandbox that can be had everywhere on Linux, as root. */
const canUnshare =
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    .status === 0;

/** An agent host that runs `lectern mcp` inside a sandbox; `prepare` is shell text that builds it. */
async function startConfined(cli: Cli, prepare: string): Promise<Client> {
  const transport = new StdioClientTransport({
    command: 'unshare',
    args: ['-m', 'sh', '-ec', `${prepare}\nexec "$@"`, 'sh', process.execPath, BIN, 'mcp'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(cli.root, 'home'),
      LECTERN_HOME: join(cli.root, 'state'),
    },
    cwd: cli.cwd,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'confined-host', version: '0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

async function enrolOrchard(): Promise<Cli> {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  await cli.run(['catalog', 'add', await cli.write('trees/orchard', ORCHARD), '--enable']);
  await cli.run(['daemon', 'stop']);
  return cli;
}

async function findsTheSkill(client: Client): Promise<boolean> {
  const { structuredContent } = await client.callTool({
    name: 'search_skills',
    arguments: { query: 'prune a fruit tree' },
  });
  return JSON.stringify(structuredContent).includes('"prune-tree"');
}

test.skipIf(!canUnshare)(
  'a daemon from which the catalogs are hidden serves its starter only, and forgets nothing (SKIPPED without unshare)',
  async () => {
    const cli = await enrolOrchard();
    const client = await startConfined(cli, `mount -t tmpfs none '${cli.root}/trees'`);
    expect(await findsTheSkill(client)).toBe(true);
    expect(readDaemonRecord(join(cli.root, 'state/daemon.json'))).toBeUndefined();
    const [status] = (await cli.run(['status', '--json'])).records();
    expect(status).toMatchObject({ entries: { skills: 3, commands: 1 } });
    const [daemon] = (await cli.run(['daemon', 'status', '--json'])).records();
    expect(daemon).toMatchObject({ running: true, mode: 'socket' });
  },
);

test.skipIf(!canUnshare)(
  'a daemon that may not write its state serves its starter only (SKIPPED without unshare)',
  async () => {
    const cli = await enrolOrchard();
    const state = join(cli.root, 'state');
    const client = await startConfined(
      cli,
      `mount --bind '${state}' '${state}'\nmount -o remount,ro,bind '${state}'`,
    );
    expect(await findsTheSkill(client)).toBe(true);
    expect(readDaemonRecord(join(state, 'daemon.json'))).toBeUndefined();
  },
);

test.skipIf(!canUnshare)(
  'a catalog that was deleted is no sandbox: the daemon is everybody’s (SKIPPED without unshare)',
  async () => {
    const cli = await enrolOrchard();
    spawnSync('rm', ['-r', join(cli.root, 'trees')]);
    const [daemon] = (await cli.run(['daemon', 'start', '--json'])).records();
    expect(daemon).toMatchObject({ started: true });
    const [status] = (await cli.run(['daemon', 'status', '--json'])).records();
    expect(status).toMatchObject({ running: true, mode: 'socket' });
  },
);

test.skipIf(!canUnshare)(
  'commands in a container that shares the state root see and stop the daemon outside (SKIPPED without unshare)',
  async () => {
    const cli = await enrolOrchard();
    const [started] = (await cli.run(['daemon', 'start', '--json'])).records();
    const inside = (...args: string[]) =>
      spawnSync(
        'unshare',
        ['--pid', '--fork', '--mount-proc', process.execPath, BIN, ...args, '--json'],
        {
          encoding: 'utf8',
          cwd: cli.cwd,
          env: {
            PATH: process.env['PATH'],
            HOME: join(cli.root, 'home'),
            LECTERN_HOME: join(cli.root, 'state'),
          },
        },
      ).stdout;
    const pid = started!['pid'];
    expect(JSON.parse(inside('daemon', 'status'))).toMatchObject({ running: true, pid });
    expect(JSON.parse(inside('daemon', 'stop'))).toEqual({ stopped: true, pid });
    await eventually(() => {
      const record = readDaemonRecord(join(cli.root, 'state/daemon.json'));
      expect(record === undefined || !isAlive(record)).toBe(true);
    });
    expect(JSON.parse(inside('daemon', 'status'))).toMatchObject({ running: false });
  },
);

const within = withoutLocalSockets();

test.skipIf(within === undefined)(
  'a start that brings no daemon fails and says so, though commands still read (SKIPPED without seccomp)',
  async () => {
    const cli = await enrolOrchard();
    const inside = (...args: string[]) =>
      spawnSync(within![0]!, [...within!.slice(1), process.execPath, BIN, ...args, '--json'], {
        encoding: 'utf8',
        cwd: cli.cwd,
        env: {
          PATH: process.env['PATH'],
          HOME: join(cli.root, 'home'),
          LECTERN_HOME: join(cli.root, 'state'),
        },
      });
    for (const verb of ['start', 'restart']) {
      const failed = inside('daemon', verb);
      expect(failed).toMatchObject({ status: 60, stdout: '' });
      expect(JSON.parse(failed.stderr).error.message).toMatch(/^no daemon started: .*socket/);
    }
    expect(inside('query', 'prune a fruit tree')).toMatchObject({ status: 0 });
    // The last place that was tried for a socket is below it.
    const left = `lectern-${process.getuid?.()}-${identifyStateRoot(join(cli.root, 'state'))}`;
    expect(readdirSync('/tmp')).not.toContain(left);
  },
);
