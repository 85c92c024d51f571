/**
 * Makes the pictures of docs/images: `lectern top` of a real daemon with a few
 * agents at work, and the documents of samples/tui. Run after a build:
 * npx tsx scripts/docs-pictures.ts
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type LineClient, openLineClient } from '../src/cli/quickstart/line-client.ts';
import { OWN_DATA } from '../src/top/dashboard.ts';
import { openFeed } from '../src/top/feed.ts';
import { addReading, type History, NO_HISTORY } from '../src/top/history.ts';
import { shapeScreen } from '../src/top/screen.ts';
import type { Snapshot } from '../src/top/snapshot.ts';
import { FIRST_VIEW, type ViewState } from '../src/top/view-state.ts';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin', 'lectern.js');
const images = join(root, 'docs', 'images');
const run = promisify(execFile);

/** Long enough for the lines of the cards to show how things went. */
const WORK_SECONDS = 40;

const AGENTS = [
  { harness: 'claude-code', folder: 'orchard' },
  { harness: 'cursor', folder: 'shop/frontend' },
  { harness: 'codex', folder: 'ledger' },
  { harness: 'claude-code', folder: 'shop/backend' },
];

const TASKS = [
  'the same check passes and fails from one run to the next',
  'it worked last month and nobody knows which change broke it',
  'write a commit message for what is staged',
  'move a table to a new schema without downtime',
  'why is this function slow',
  'a new library version breaks the build',
  'book a table for two tonight',
  'lock this route to signed-in users',
  'hide the new checkout behind a switch',
  'what does this stack trace mean',
  'how is this repository put together',
  'sum up what changed since the last release',
];

const home = await realpath(await mkdtemp(join(tmpdir(), 'lectern-pictures-')));
const env = { PATH: process.env['PATH'] ?? '', HOME: home, LECTERN_HOME: join(home, '.lectern') };
// The feed looks for the daemon where this process's environment says.
Object.assign(process.env, env);
const agents: LineClient[] = [];
try {
  await mkdir(images, { recursive: true });
  await shoot('deploy', 'samples/tui/deploy.tui', 'samples/tui/deploy.json', '100x30');
  await shoot('tasks', 'samples/tui/tasks.tui', 'samples/tui/tasks.json', '64x18');
  await startAgents();
  const { snapshot, history } = await watchThemWork();
  await shootTop('top', snapshot, history, {}, 'tab_sessions', '100x30');
  await shootTop('top-wide', snapshot, history, {}, 'tab_sessions', '160x40');
  await shootTop('top-searches', snapshot, history, {}, 'tab_searches', '100x24');
  const [session] = snapshot.pulse?.sessions ?? [];
  const detail = { table: 'sessions', key: session?.id ?? 0 } as const;
  await shootTop('top-session', snapshot, history, { detail }, 'tab_sessions', '100x30');
} finally {
  await Promise.all(agents.map((agent) => agent.close()));
  await run(process.execPath, [bin, 'daemon', 'stop'], { env }).catch(() => {});
  await rm(home, { recursive: true, force: true });
}

async function startAgents(): Promise<void> {
  const skills = join(home, 'skills');
  await cp(join(root, 'samples', 'starter'), skills, { recursive: true });
  await run(process.execPath, [bin, 'catalog', 'add', skills, '--name', 'starter', '--enable'], {
    env,
  });
  for (const { harness, folder } of AGENTS) {
    const cwd = join(home, folder);
    await mkdir(cwd, { recursive: true });
    const command = [process.execPath, bin, 'mcp', '--harness', harness];
    agents.push(await openLineClient(command, { cwd, env }));
  }
}

async function watchThemWork(): Promise<{ snapshot: Snapshot; history: History }> {
  const feed = openFeed(null);
  let history = NO_HISTORY;
  for (let second = 0; second < WORK_SECONDS; second++) {
    // A load that comes and goes, as agents work in bursts.
    const searches = Math.round(3 + 2.5 * Math.sin(second / 4));
    for (let i = 0; i < searches; i++) {
      const agent = agents[(second + i) % agents.length]!;
      await agent.callTool('search_skills', { query: TASKS[(second * 5 + i) % TASKS.length] });
    }
    await feed.refresh();
    if (feed.snapshot.pulse !== null) history = addReading(history, feed.snapshot.pulse);
    await pause(1000);
  }
  const { snapshot } = feed;
  feed.close();
  return { snapshot, history };
}

async function shootTop(
  name: string,
  snapshot: Snapshot,
  history: History,
  view: Partial<ViewState>,
  tab: string,
  size: string,
): Promise<void> {
  const context = { history, log: [], home, ownPid: process.pid };
  const screen = shapeScreen(snapshot, { ...FIRST_VIEW, ...view }, context);
  const data = join(home, `${name}.json`);
  await writeFile(data, JSON.stringify({ ...OWN_DATA, ...screen, tab }));
  await shoot(name, 'src/top/top.tui', data, size);
}

async function shoot(name: string, document: string, data: string, size: string): Promise<void> {
  const [cols, rows] = size.split('x') as [string, string];
  const output = join(images, `${name}.svg`);
  const flags = ['--data', data, '--cols', cols, '--rows', rows, '--output', output];
  await run(process.execPath, [bin, 'tui', 'shot', document, ...flags], { cwd: root });
  process.stdout.write(`${output}\n`);
}
