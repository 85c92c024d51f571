import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../../src/core/config.ts';
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
    const [file, heading] = target!.split('#');
    const lies = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file!);
    expect(existsSync(lies), `${path}: ${target}`).toBe(true);
    if (heading === undefined) continue;
    const headings = [...readFileSync(lies, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(headings, `${path}: ${target}`).toContain(heading);
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

test('what the product tells agents to run exists', async () => {
  const { META_SKILLS } = await import('../../src/library/meta-skill.ts');
  const { INSTRUCTIONS } = await import('../../src/mcp/library/instructions.ts');
  const { LIBRARY_TOOLS } = await import('../../src/mcp/library/tools.ts');
  const { PREAMBLE } = await import('../../src/library/routing-directive.ts');
  const texts = [
    ...[...META_SKILLS.values()].flatMap((skill) => Object.values(skill.files)),
    INSTRUCTIONS,
    ...LIBRARY_TOOLS.map((tool) => tool.description),
    PREAMBLE,
  ];
  for (const text of texts) {
    for (const code of codeOf(text)) {
      const command = commandIn(code);
      if (command === undefined) continue;
      expect(COMMANDS.has(command) || TOPICS.has(command), `lectern ${command}`).toBe(true);
    }
  }
});

test('docs/configuration.md names every key, and no other', () => {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const named = [...page.matchAll(/`([a-z_]+\.[a-z_*]+)`/g)]
    .map(([, key]) => key!)
    .filter((key) => !key.endsWith('.toml'));
  const sections = named.filter((key) => key.endsWith('.*')).map((key) => key.slice(0, -1));
  const keys = Object.keys(CONFIG_DEFAULTS);
  for (const key of keys) {
    const isNamed = named.includes(key) || sections.some((section) => key.startsWith(section));
    expect(isNamed, key).toBe(true);
  }
  for (const key of named.filter((it) => !it.endsWith('.*'))) expect(keys).toContain(key);
});

test('a next step of an error is a command that exists', () => {
  for (const [category, row] of Object.entries(errorTable)) {
    const command = row.next === undefined ? undefined : commandIn(row.next);
    if (command !== undefined) expect(COMMANDS, `${category}: ${row.next}`).toContain(command);
  }
});
