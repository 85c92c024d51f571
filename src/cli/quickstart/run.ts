import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { addCatalog } from '../../protocol/admin/add-catalog.ts';
import type { getStatus } from '../../protocol/admin/get-status.ts';
import type { AdminMethod, ParamsOf, ResultOf } from '../../protocol/admin/method.ts';
import type { showPlugin } from '../../protocol/admin/show-plugin.ts';
import { livingDaemon, waitForEnd } from '../daemon-life.ts';
import { formatDuration } from '../measure.ts';
import type { Paint } from '../paint.ts';
import { formatEntryCounts } from '../print/catalogs.ts';
import type { Step } from '../progress.ts';
import { count, cut, oneLine } from '../text.ts';
import { type DemoEntry, pickQueries, STARTER_QUERIES } from './demo-queries.ts';
import { openLineClient } from './line-client.ts';
import { describeWiring } from './wiring.ts';

/** Embedding 1,000 entries takes half a minute on two cores; the tour does not wait for more. */
const LONGEST_WAIT_MS = 60_000;
const LOOK_MS = 150;
/** Queries of the tour, and results shown for each. */
const QUERIES = 3;
const RESULTS = 3;

export interface Tour {
  /** Folders to enrol; the starter catalog when empty. */
  folders: string[];
  /** Queries to ask; taken from the entries when empty. */
  queries: string[];
  /** Use the person's own state root instead of a private one that is removed. */
  isGlobal: boolean;
  /** The installed package. */
  root: string;
  paint: Paint;
  width: number;
  print: (line: string) => void;
  showStep: (step: Step) => void;
  endSteps: () => void;
  /** Start the daemon of the state root in use. */
  startDaemon: () => Promise<unknown>;
  /** Ask the running daemon; rejects at once when the person interrupts. */
  ask: <M extends AdminMethod>(method: M['method'], params: ParamsOf<M>) => Promise<ResultOf<M>>;
  /** Ask it to stop, interrupted or not. */
  stopDaemon: () => Promise<unknown>;
}

/** What the tour did and how long each step took, for `--json`; times in milliseconds. */
export interface TourReport {
  catalogs: {
    name: string;
    folder: string;
    plugins: number;
    entries: { found: number; loaded: number; dropped: number };
    problems: number;
    searchable_ms: number;
  }[];
  /** Null without a model, or while it still embeds. */
  embedded_ms: number | null;
  /** From the spawn of `lectern mcp` until initialize was answered. */
  initialize_ms: number;
  searches: { query: string; ms: number; relevance: string | null; matches: Match[] }[];
  /** The best match of the first search; null when nothing matched. */
  loaded: { catalog: string; plugin: string; name: string; characters: number; ms: number } | null;
  /** What an agent host starts. */
  command: string[];
}

interface Match {
  catalog: string;
  plugin: string;
  name: string;
  kind: string;
  description: string;
  score: number;
}

/**
 * The tour: enrol, wait, search and load through a real `lectern mcp`, say how
 * to wire agents. All that it starts is owned by `scope`.
 */
export async function runTour(tour: Tour, scope: Scope): Promise<TourReport> {
  const { paint, print } = tour;
  const folders = await findFolders(
    tour.folders.length > 0 ? tour.folders : [join(tour.root, 'samples', 'starter')],
  );
  const heading = (text: string): void => print(`\n${paint.strong(text)}`);

  if (!tour.isGlobal) {
    const root = await mkdtemp(join(await realpath(tmpdir()), 'lectern-quickstart-'));
    scope.own(root, (path) => rm(path, { recursive: true, force: true }), 'private state root');
    process.env['LECTERN_HOME'] = root;
    scope.own(tour, stopDaemonOf, 'daemon');
    print(`A private library in ${root}; it is removed at the end.`);
  }
  await tour.startDaemon();

  heading('Enrolling');
  const entries: DemoEntry[] = [];
  const catalogs: TourReport['catalogs'] = [];
  for (const folder of folders) {
    const enrolled = await enrol(folder, tour);
    entries.push(...enrolled.entries);
    catalogs.push(enrolled.catalog);
  }
  const embedded_ms = await waitForIndex(tour);

  heading('Asking as an agent does: MCP over the pipes of `lectern mcp`');
  const command = [process.execPath, join(tour.root, 'bin', 'lectern.js'), 'mcp'];
  // A directory of no project: nothing but the enrolled folders is searched.
  const cwd = process.env['LECTERN_HOME'] ?? tmpdir();
  const client = await openLineClient(command, { cwd, env: process.env });
  scope.own(client, (open) => open.close(), 'MCP client');
  print(`initialize answered ${formatDuration(client.startMs)} after the spawn`);

  const ownQueries = tour.folders.length > 0 ? pickQueries(entries, QUERIES) : STARTER_QUERIES;
  const queries = tour.queries.length > 0 ? tour.queries : ownQueries;
  const searches: TourReport['searches'] = [];
  let best: Match | undefined;
  for (const query of queries) {
    const { result, ms } = await client.callTool('search_skills', { query, top_k: RESULTS });
    const matches = result['matches'] as Match[];
    print(`\n${paint.name(`“${oneLine(query)}”`)} ${paint.quiet(`${ms.toFixed(1)} ms`)}`);
    if (matches.length === 0) print(`  nothing: ${oneLine(String(result['hint'] ?? ''))}`);
    for (const [at, match] of matches.entries()) print(formatMatch(match, at + 1, tour));
    if (result['relevance'] === 'weak') print(paint.warning('  nothing here fits well'));
    best ??= matches[0];
    searches.push({
      query,
      ms,
      relevance: (result['relevance'] as string | undefined) ?? null,
      matches,
    });
  }
  if (tour.queries.length === 0) print(paint.quiet('\nYour own tasks instead: --query "…"'));

  let loaded: TourReport['loaded'] = null;

  if (best !== undefined) {
    heading('Loading the best of the first search with get_skill');
    const { catalog, plugin, name, kind } = best;
    const { result, ms } = await client.callTool('get_skill', { catalog, plugin, name, kind });
    const content = String(result['content']);
    loaded = { catalog, plugin, name, characters: content.length, ms };
    print(`${content.length} characters in ${ms.toFixed(1)} ms, beginning:`);
    for (const line of content.trim().split('\n').slice(0, 5)) {
      print(paint.quiet(`  | ${cut(oneLine(line), tour.width - 4)}`));
    }
  }

  heading('Wire your agents');
  print(describeWiring(command));
  if (!tour.isGlobal) {
    print('\nThen fill your own library:');
    // In a clone there is no `lectern` on the PATH yet.
    if (isClone(tour.root)) print(`  ${paint.name(`npm install --global ${tour.root}`)}`);
    print(`  ${paint.name('lectern catalog add FOLDER_OR_URL --enable')}`);
  }
  return {
    catalogs,
    embedded_ms,
    initialize_ms: client.startMs,
    searches,
    loaded,
    command,
  };
}

/** An installed package lies in a node_modules. */
function isClone(root: string): boolean {
  return basename(dirname(root)) !== 'node_modules';
}

/**
 * The folders among what was named. A shell's `*` also names the files that lie
 * beside them: those are left out, and a path that is nothing is an error.
 *
 * @throws LecternError io
 */
async function findFolders(named: readonly string[]): Promise<string[]> {
  const paths = named.map((folder) => resolve(folder));
  const stats = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  const folders = paths.filter((_, at) => stats[at]?.isDirectory() === true);
  const absent = paths.find((_, at) => stats[at] === undefined);
  if (absent !== undefined || folders.length === 0) {
    throw new LecternError('io', `${absent ?? paths[0]} is not a directory`, {
      next: 'lectern quickstart FOLDER…',
    });
  }
  return folders;
}

/** Plugins whose entries the tour looks at for something to ask: more would only take longer. */
const PLUGINS_READ = 12;

/** Enrol one folder; some of its entries, and what came of it. */
async function enrol(
  folder: string,
  tour: Tour,
): Promise<{ entries: DemoEntry[]; catalog: TourReport['catalogs'][number] }> {
  const startedAt = performance.now();
  const answer = await tour.ask<typeof addCatalog>('catalog.add', {
    source: folder,
    name: null,
    ref: null,
    enable: true,
  });
  const took = performance.now() - startedAt;
  const { name, plugin_count: plugins } = answer.added;
  tour.print(
    `${tour.paint.name(oneLine(name))} (${basename(folder)}): ${count(plugins, 'plugin')}, ${formatEntryCounts(answer.entries)}, searchable after ${formatDuration(took)}`,
  );
  const [problem] = answer.problems;
  if (problem !== undefined) {
    const first = `the first: ${basename(problem.file)}: ${oneLine(problem.message)}`;
    const all = tour.isGlobal ? 'lectern problems lists them' : first;
    tour.print(tour.paint.warning(`  ${count(answer.problems.length, 'problem')}; ${all}`));
  }
  const entries: DemoEntry[] = [];
  for (const { plugin: id } of answer.enabled.slice(0, PLUGINS_READ)) {
    const plugin = await tour.ask<typeof showPlugin>('plugin.show', { id });
    entries.push(...plugin.skills, ...plugin.commands);
  }
  return {
    entries,
    catalog: {
      name,
      folder,
      plugins,
      entries: answer.entries,
      problems: answer.problems.length,
      searchable_ms: took,
    },
  };
}

/** Wait until the index is idle: with a model, entries are being embedded meanwhile. */
async function waitForIndex(tour: Tour): Promise<number | null> {
  const startedAt = performance.now();
  for (;;) {
    const status = await tour.ask<typeof getStatus>('status.get', {});
    const { indexing } = status;
    const took = performance.now() - startedAt;
    if (indexing === undefined || indexing.stage === 'idle') {
      tour.endSteps();
      if (status.embedder.state !== 'ok') {
        tour.print('no embedding model here: searching by words alone');
        return null;
      }
      tour.print(`embedded after ${formatDuration(took)} more`);
      return took;
    }
    if (took > LONGEST_WAIT_MS) {
      tour.endSteps();
      tour.print(`still embedding (${indexing.done} of ${indexing.total}); searching meanwhile`);
      return null;
    }
    tour.showStep({ what: indexing.stage, done: indexing.done, total: indexing.total });
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

function formatMatch(match: Match, rank: number, { paint, width }: Tour): string {
  const head = `  ${rank}  ${match.score.toFixed(2)}  ${oneLine(match.name)}`;
  const about = cut(oneLine(match.description), Math.max(10, width - head.length - 4));
  return `  ${rank}  ${match.score.toFixed(2)}  ${paint.strong(oneLine(match.name))}  ${paint.quiet(about)}`;
}

async function stopDaemonOf(tour: Tour): Promise<void> {
  const living = livingDaemon();
  if (living === undefined) return;
  await tour.stopDaemon();
  await waitForEnd(living);
}
