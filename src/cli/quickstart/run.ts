import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Scope } from '../../core/scope.ts';
import type { getStatus } from '../../protocol/admin/get-status.ts';
import { livingDaemon, waitForEnd } from '../daemon-life.ts';
import { formatDuration, toTenths } from '../measure.ts';
import { loadAsAgent, searchAsAgent } from './ask-as-agent.ts';
import { type DemoEntry, pickQueries, STARTER_QUERIES } from './demo-queries.ts';
import { enrolFolders, findFolders } from './enrol-folders.ts';
import { openLineClient } from './line-client.ts';
import type { Tour, TourReport } from './tour.ts';
import { waitForIndex } from './wait-for-index.ts';
import { describeWiring } from './wiring.ts';

/** Queries that are taken from the entries enrolled. */
const QUERIES = 3;

/**
 * The tour: enrol, wait, search and load through a real `lectern mcp`, say how
 * to wire agents. All that it starts is owned by `scope`.
 *
 * @throws LecternError io where a folder is none; whatever the daemon answers
 */
export async function runTour(tour: Tour, scope: Scope): Promise<TourReport> {
  const { paint, print } = tour;
  const heading = (text: string): void => print(`\n${paint.strong(text)}`);
  const folders = await findFolders(
    tour.folders.length > 0 ? tour.folders : [join(tour.root, 'samples', 'starter')],
  );
  if (!tour.isGlobal) await usePrivateRoot(tour, scope);
  await tour.startDaemon();

  heading('Enrolling');
  const { catalogs, entries } = await enrolFolders(folders, tour);
  const embedded_ms = await waitForIndex(tour);

  heading('Asking as an agent does: MCP over the pipes of `lectern mcp`');
  const command = [process.execPath, join(tour.root, 'bin', 'lectern.js'), 'mcp'];
  // A directory of no project: nothing but the enrolled folders is searched.
  const cwd = process.env['LECTERN_HOME'] ?? tmpdir();
  // There no marker says which workspace was enrolled into.
  const { current_workspace } = await tour.ask<typeof getStatus>('status.get', {});
  const env = { ...process.env, LECTERN_WORKSPACE: current_workspace };
  const client = await openLineClient(command, { cwd, env });
  scope.own(client, (open) => open.close(), 'MCP client');
  print(`initialize answered ${formatDuration(client.startMs)} after the spawn`);

  const searches = await searchAsAgent(client, chooseQueries(tour, entries), tour);
  if (tour.queries.length === 0) print(paint.quiet('\nYour own tasks instead: --query "…"'));

  const best = searches.flatMap(({ matches }) => matches.slice(0, 1))[0];
  let loaded: TourReport['loaded'] = null;
  if (best !== undefined) {
    heading('Loading the best of the first search with get_skill');
    loaded = await loadAsAgent(client, best, tour);
  }

  heading('Wire your agents');
  print(describeWiring(command));
  if (!tour.isGlobal) printNextSteps(tour);
  const initialize_ms = toTenths(client.startMs);
  return { catalogs, embedded_ms, initialize_ms, searches, loaded, command };
}

/** A state root that goes with the tour, and the daemon in it. */
async function usePrivateRoot(tour: Tour, scope: Scope): Promise<void> {
  const root = await mkdtemp(join(await realpath(tmpdir()), 'lectern-quickstart-'));
  scope.own(root, (path) => rm(path, { recursive: true, force: true }), 'private state root');
  process.env['LECTERN_HOME'] = root;
  scope.own(tour, stopDaemonOf, 'daemon');
  tour.print(`A private library in ${root}; it is removed at the end.`);
}

async function stopDaemonOf(tour: Tour): Promise<void> {
  const living = livingDaemon();
  if (living === undefined) return;
  await tour.stopDaemon();
  await waitForEnd(living);
}

/** What the person asks, else what the folders are about. */
function chooseQueries(
  { folders, queries }: Tour,
  entries: readonly DemoEntry[],
): readonly string[] {
  if (queries.length > 0) return queries;
  return folders.length > 0 ? pickQueries(entries, QUERIES) : STARTER_QUERIES;
}

function printNextSteps({ root, paint, print }: Tour): void {
  print('\nThen fill your own library:');
  // In a clone there is no `lectern` on the PATH yet.
  if (isClone(root)) print(`  ${paint.name(`npm install --global ${root}`)}`);
  print(`  ${paint.name('lectern catalog add FOLDER_OR_URL --enable')}`);
}

/** An installed package lies in a node_modules. */
function isClone(root: string): boolean {
  return basename(dirname(root)) !== 'node_modules';
}
