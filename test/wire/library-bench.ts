import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { getStatus } from '../../src/protocol/admin/get-status.ts';
import { connectAdmin } from '../../src/protocol/client.ts';
import type { DaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { type StatePaths, statePaths } from '../../src/protocol/link/state-paths.ts';
import { eventually } from '../eventually.ts';
import { endAll } from './end-all.ts';
import { findDaemons } from './find-processes.ts';
import { installProduct } from './installed-product.ts';
import { livingDaemon } from './living-daemon.ts';
import { type McpMessage, McpProcess } from './mcp-process.ts';

/** Skills whose names and tasks have a word that no other has, so that only one answer is right. */
const WORDS =
  'anvil bassoon cactus dulcimer easel fjord gazebo hammock igloo jigsaw kayak lantern mandolin nectar obelisk pagoda quiver rudder saffron thimble umbrella violin walnut xylophone yurt zeppelin almanac bellows cobalt dynamo'.split(
    ' ',
  );

export interface Question {
  tool: 'search_skills' | 'get_skill';
  args: Record<string, unknown>;
  /** Name of the only right answer. */
  name: string;
}

/** The built product with a real catalog, whose right answers are known. */
export interface LibraryBench {
  readonly product: string;
  /** Everything of this bench lies below it. */
  readonly home: string;
  readonly paths: StatePaths;
  readonly env: Record<string, string>;
  readonly catalog: string;
  start(args?: string[], more?: { product?: string; env?: Record<string, string> }): McpProcess;
  /** Run a command; its standard output, and standard error when it failed. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** The living daemon. */
  daemon(): Promise<DaemonRecord>;
  /** Daemons on this state root, those that serve one proxy over stdio included. */
  daemonPids(): number[];
  /** Write the skill of one word; its task begins with `verb`. */
  write(word: string, verb?: string): string;
  /** Enrol the catalog and wait until it is read and embedded. */
  enrol(): Promise<void>;
  /** Resolves when nothing is left to read or embed. */
  settled(): Promise<void>;
  /** The `number`-th of endlessly many questions. */
  question(number: number): Question;
}

export interface LibraryBenchOptions {
  product?: string;
  /** Directory for everything, such as a small disk; made and removed otherwise. */
  home?: string;
  env?: Record<string, string>;
  skills?: number;
}

/** Set a bench up for the running test; when that ends, every proxy and daemon ends and its files go. */
export function openLibraryBench(options: LibraryBenchOptions = {}): LibraryBench {
  const product = options.product ?? installProduct();
  const home = options.home ?? realpathSync(mkdtempSync(join(tmpdir(), 'lectern-library-')));
  const root = join(home, 'state');
  const paths = statePaths(root);
  const catalog = join(home, 'workshop');
  const words = WORDS.slice(0, options.skills ?? WORDS.length);
  const env = { LECTERN_HOME: root, HOME: home, ...options.env };
  const proxies: McpProcess[] = [];
  onTestFinished(async () => {
    await endAll(proxies, root);
    if (options.home === undefined) rmSync(home, { recursive: true, force: true });
  });

  const bench: LibraryBench = {
    product,
    home,
    paths,
    env,
    catalog,
    start(args = [], more = {}) {
      const proxy = new McpProcess(more.product ?? product, args, { ...env, ...more.env }, home);
      proxies.push(proxy);
      return proxy;
    },
    cli: (...args) =>
      new Promise((resolve) => {
        execFile(
          process.execPath,
          [join(product, 'bin/lectern.js'), ...args],
          { cwd: home, env: { PATH: process.env['PATH'], ...env } },
          (error, stdout, stderr) =>
            resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
        );
      }),
    daemon: () => livingDaemon(paths),
    daemonPids: () => findDaemons(root),
    write(word, verb = 'Repair') {
      const folder = join(catalog, 'skills', `${word}-care`);
      mkdirSync(folder, { recursive: true });
      const file = join(folder, 'SKILL.md');
      writeFileSync(file, skillText(word, verb));
      return file;
    },
    async enrol() {
      for (const word of words) bench.write(word);
      const added = await bench.cli('catalog', 'add', catalog, '--enable', '--json');
      if (added.code !== 0) throw new Error(added.stderr);
      await bench.settled();
    },
    async settled() {
      const admin = await connectAdmin({ env, cwd: home });
      try {
        await eventually(async () => {
          const { indexing } = await admin.call(getStatus, {});
          if (indexing?.stage !== 'idle') throw new Error(`still at ${indexing?.stage}`);
        }, 60_000);
      } finally {
        admin.close();
      }
    },
    question(number) {
      const word = words[number % words.length]!;
      const name = `${word}-care`;
      return number % 3 === 2
        ? { tool: 'get_skill', args: { uri: name }, name }
        : { tool: 'search_skills', args: { query: `repair a worn ${word}, ${number}` }, name };
    },
  };
  return bench;
}

function skillText(word: string, verb: string): string {
  const description = `${verb} a worn ${word} and keep every ${word} in good order.`;
  return `---\nname: ${word}-care\ndescription: ${description}\n---\n\n# The ${word}\n\nLook at the ${word} in daylight first.\n`;
}

/** What is wrong with an answer; undefined when it is the right one. */
export function faultOf(question: Question, answer: McpMessage): string | undefined {
  if (answer.error !== undefined) return answer.error.message;
  const content = answer.result?.structuredContent;
  if (answer.result?.isError === true || content === undefined)
    return JSON.stringify(answer.result);
  if (question.tool === 'search_skills') {
    const best = content.matches[0]?.name;
    return best === question.name ? undefined : `found ${best} for ${question.name}`;
  }
  const word = question.name.replace(/-care$/, '');
  return JSON.stringify(content).includes(`Look at the ${word} in daylight first.`)
    ? undefined
    : `loaded something else than ${question.name}: ${JSON.stringify(content).slice(0, 200)}`;
}
