import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '../../src/core/scope.ts';
import type { Product } from './product.ts';

/**
 * Made-up skills, the same on every machine: `count` entries of about 2,500
 * characters in plugins of 25, so that 1,000 entries come to about 4,000
 * vectors. LECTERN_BENCH_CORPUS names a folder of real catalogs to use instead.
 */

const ACTIONS =
  'prepare review migrate measure repair design explain schedule compare document test deploy encrypt translate summarise monitor profile archive import validate'.split(
    ' ',
  );
const THINGS =
  'database schema|invoice|release note|container image|budget|interview plan|access policy|dashboard|contract|data pipeline|greenhouse|backup|search index|payroll run|incident report|garden bed|message queue|press release|test suite|colour palette|route table|sensor log|reading list|mobile screen|cache layer'.split(
    '|',
  );
const SETTINGS =
  'for a small team|under a deadline|without network access|for a regulated industry|on old hardware|with many contributors|for a public audience|in several languages|after an outage|before a launch'.split(
    '|',
  );
const SENTENCES = [
  'Start by writing down what must stay true afterwards and who relies on it.',
  'Collect the present state first and keep a copy that can be compared later.',
  'Change one thing at a time and look at the result before the next change.',
  'Ask the owner when two sources disagree instead of choosing silently.',
  'Keep the first version small; widen it only when somebody needs more.',
  'Write the numbers beside their source so that anyone can check them.',
  'Stop at the first surprising result and find out why it appeared.',
  'Leave a note about what was tried and did not work, with the reason.',
  'Prefer a reversible step over a fast one whenever both are possible.',
  'Tell people what changed for them, in their words, at the end.',
];

/** A fast generator with a fixed seed (mulberry32): the same corpus on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface MadeSkill {
  name: string;
  description: string;
  text: string;
}

/** The `number`-th made-up skill. */
export function makeSkill(number: number): MadeSkill {
  const random = randomFrom(number + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const action = ACTIONS[number % ACTIONS.length]!;
  const thing = THINGS[Math.floor(number / ACTIONS.length) % THINGS.length]!;
  const setting =
    SETTINGS[Math.floor(number / (ACTIONS.length * THINGS.length)) % SETTINGS.length]!;
  const name = `${action}-${thing.replaceAll(' ', '-')}-${number}`;
  const description = `How to ${action} a ${thing} ${setting}. Use when somebody asks to ${pick(ACTIONS)} or ${action} one ${pick(SETTINGS)}.`;
  const sections = Array.from({ length: 6 }, (_, at) => {
    const body = Array.from({ length: 5 }, () => pick(SENTENCES)).join(' ');
    return `## Step ${at + 1}: ${pick(ACTIONS)} the ${pick(THINGS)}\n\n${body}`;
  });
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${action} a ${thing}\n\n${sections.join('\n\n')}\n`;
  return { name, description, text };
}

/** A task as an agent might put it; no two of the first thousands are equal. */
export function makeQuery(number: number): string {
  const random = randomFrom(number + 7_777);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  return `${pick(ACTIONS)} our ${pick(THINGS)} and ${pick(ACTIONS)} the ${pick(THINGS)} ${pick(SETTINGS)}, case ${number}`;
}

const SKILLS_PER_PLUGIN = 25;

/** Write the made-up catalog of skills from number `from` on and return its directory, which goes with `scope`. */
export async function writeCorpus(scope: Scope, count: number, from = 0): Promise<string> {
  const root = await mkdtemp(join(await realpath(tmpdir()), 'lectern-corpus-'));
  scope.own(root, (path) => rm(path, { recursive: true, force: true }), 'corpus');
  for (let number = from; number < from + count; number += 1) {
    const plugin = `plugin-${String(Math.floor(number / SKILLS_PER_PLUGIN)).padStart(3, '0')}`;
    const skill = makeSkill(number);
    const folder = join(root, plugin, 'skills', skill.name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), skill.text);
  }
  return root;
}

/** Folders to enrol: the real catalogs of LECTERN_BENCH_CORPUS, else a made-up one. */
export async function corpusFolders(scope: Scope, count: number): Promise<string[]> {
  const given = process.env['LECTERN_BENCH_CORPUS'];
  if (given === undefined || given === '') return [await writeCorpus(scope, count)];
  const children = await readdir(given, { withFileTypes: true });
  return children.filter((child) => child.isDirectory()).map((child) => join(given, child.name));
}

/** Enrol and enable the corpus; the folders enrolled. */
export async function enrolCorpus(
  product: Product,
  scope: Scope,
  count: number,
): Promise<string[]> {
  const folders = await corpusFolders(scope, count);
  for (const folder of folders) await product.cli('catalog', 'add', folder, '--enable');
  return folders;
}
