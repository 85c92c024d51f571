import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { errorTable } from '../../src/core/errors.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** `catalog add`, `query`, … from the files that oclif finds them in; and what is routed before it. */
const COMMANDS = new Set([
  ...readdirSync(join(ROOT, 'src/commands'), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.ts'.length).replace('/', ' ')),
  'help',
  'search',
]);
const TOPICS = new Set([...COMMANDS].map((command) => command.split(' ')[0]!));

/** The command that a line beginning with `lectern` runs; undefined when it is prose. */
function commandIn(text: string): string | undefined {
  const [, first, second = ''] =
    /^(?:\S+=\S+ )*lectern ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/.exec(text) ?? [];
  if (first === undefined) return undefined;
  const isTopic = [...COMMANDS].some((command) => command.startsWith(`${first} `));
  return isTopic ? `${first} ${second}`.trim() : first;
}

/** Lines of code blocks and the content of code spans. */
function codeOf(page: string): string[] {
  const lines: string[] = [];
  let inBlock = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) inBlock = !inBlock;
    else if (line.includes('(not in this version)')) continue;
    else if (inBlock)
      lines.push(...line.split(' | ').map((part) => part.trim().replace(/^\$ /, '')));
    else lines.push(...[...line.matchAll(/`([^`]+)`/g)].map(([, span]) => span!));
  }
  return lines;
}

test.each(PAGES)('every command shown in %s exists', (path) => {
  for (const code of codeOf(readFileSync(join(ROOT, path), 'utf8'))) {
    const command = commandIn(code.replaceAll('\\|', ' '));
    if (command === undefined) continue;
    expect(COMMANDS.has(command) || TOPICS.has(command), `${path}: lectern ${command}`).toBe(true);
  }
});

test.each(PAGES)('every npm script shown in %s exists', (path) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const code of codeOf(readFileSync(join(ROOT, path), 'utf8'))) {
    const [, script] = /npm run (?:--silent )?([\w:]+)/.exec(code) ?? [];
    if (script !== undefined)
      expect(scripts, `${path}: npm run ${script}`).toHaveProperty([script]);
  }
});

test.each(PAGES)('every link of %s leads somewhere', (path) => {
  const page = readFileSync(join(ROOT, path), 'utf8');
  for (const [, target] of page.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target!)) continue;
    const [file] = target!.split('#');
    if (file === '') continue;
    expect(existsSync(join(ROOT, dirname(path), file!)), `${path}: ${target}`).toBe(true);
  }
});

test('every file named in CONTRIBUTING and docs/security.md exists', () => {
  for (const path of ['CONTRIBUTING.md', 'docs/security.md']) {
    const page = readFileSync(join(ROOT, path), 'utf8');
    for (const [, file] of page.matchAll(/`((?:src|daemon|proxy|test|scripts|bin)\/[^`<>*]+)`/g)) {
      expect(existsSync(join(ROOT, file!)), `${path}: ${file}`).toBe(true);
    }
  }
});

test('a next step of an error is a command that exists', () => {
  for (const [category, row] of Object.entries(errorTable)) {
    const command = row.next === undefined ? undefined : commandIn(row.next);
    if (command !== undefined) expect(COMMANDS, `${category}: ${row.next}`).toContain(command);
  }
});
