import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/json.md'), 'utf8');

/** Command and members of each row of the page; `the same` is the row before. */
const ROWS: { command: string; members: string[] }[] = [];
for (const [, command, cell] of PAGE.matchAll(/^\| `(.+?)` \| [^|]+ \| (.+) \|$/gm)) {
  const own = [...cell!.matchAll(/`(\w+)`/g)].map(([, member]) => member!);
  const before = cell!.startsWith('the same') ? ROWS.at(-1)!.members : [];
  ROWS.push({ command: command!, members: [...before, ...own] });
}

/** What stands for the words in capitals, in the library of this test. */
const GIVEN: Record<string, string> = {
  'query WORDS': 'graft',
  'explain WORDS': 'graft',
  'get ID': 'graft-plan',
  'get ID --metadata-only': 'graft-plan',
  'catalog show NAME': 'orchard',
  'plugin show ID': 'orchard/pruning',
  'catalog add SOURCE': '../grove --name grove',
  'catalog remove NAME': 'grove --force',
  'plugin disable ID': 'orchard/pruning --yes',
  'plugin enable ID': 'orchard/pruning',
  'entry disable ID': 'orchard/grafting/graft-plan',
  'entry enable ID': 'orchard/grafting/graft-plan',
  'tier set ID TIER': 'grafting/graft-plan 1',
  'tier clear ID': 'grafting/graft-plan',
  'workspace init NAME': 'team',
  'workspace use NAME': 'team',
  'workspace rename OLD NEW': 'team crew',
  'workspace remove NAME': 'crew --force',
  'state export --output FILE': 'exported.json',
  'quickstart FOLDER': '../orchard',
  'completion SHELL': 'bash',
};

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
  await cli.write('orchard', {
    ...ORCHARD,
    'pruning/skills/odd/SKILL.md': '---\nname: odd\ndescription: a: colon\n---\nodd\n',
  });
  await cli.run(['catalog', 'add', '../orchard', '--name', 'orchard', '--enable']);
  await cli.write('grove', ORCHARD);
  await cli.run(['workspace', 'use', 'global']);
});
afterAll(() => cli.close());

test('the page has a row for nearly each command', () => {
  expect(ROWS.length).toBeGreaterThan(40);
});

test.each(ROWS)('--json of `$command` has the members that docs/json.md names', async (row) => {
  const words = row.command
    .replace(/( [A-Z]+)+$|( [A-Z]+)+(?= )/, () => ` ${GIVEN[row.command] ?? ''}`)
    .split(' ');
  const run = await cli.run([...words.filter((word) => word !== ''), '--json']);
  expect(run.stderr).toBe('');
  const records = run.records();
  expect(records.length).toBeGreaterThan(0);
  for (const record of records) {
    for (const member of row.members) expect(Object.keys(record)).toContain(member);
  }
});

test('the failure shown is the one that is printed', async () => {
  const [, shown] = /```json\n(.+)\n```/.exec(PAGE)!;
  const run = await cli.run(['catalog', 'show', 'orchid', '--json']);
  expect(run.stderr.trim()).toBe(shown);
});
