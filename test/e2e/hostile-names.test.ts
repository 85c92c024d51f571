import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, openCli } from './run-cli.ts';

/** What a catalog could steer a terminal with: CSI, OSC, a C1 CSI, a return, a bell, an override. */
const STEERING = '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u202etxt';

let cli: Cli;
let root: string;

beforeAll(async () => {
  cli = await openCli();
  root = await cli.write(`cat${STEERING}alog`, {
    '.claude-plugin/marketplace.json': JSON.stringify({
      name: `market${STEERING}`,
      owner: { name: `own${STEERING}er`, email: `a${STEERING}@b.c` },
      metadata: { description: `about${STEERING}`, version: `1${STEERING}` },
      plugins: [
        {
          name: `plug${STEERING}in`,
          source: './one',
          description: `d${STEERING}`,
          version: STEERING,
        },
        { name: `far${STEERING}`, source: { source: 'github', repo: `x/y${STEERING}` } },
        { name: `gone${STEERING}`, source: `./gone${STEERING}` },
      ],
    }),
    [`one/skills/sk${STEERING}ill/SKILL.md`]: `---\nname: "n\\e[31mame"\ndescription: "d\\e[2J\\x9b1mescr"\nwhen_to_use: "w\\e[2Jhen"\nprompt_name: "p\\e[2J"\narguments: ["a\\e[2J"]\n---\nbody ${STEERING}\n`,
    [`one/skills/sk${STEERING}ill/re${STEERING}source.txt`]: 'x',
    [`one/commands/com${STEERING}mand.md`]: `no frontmatter ${STEERING}`,
    [`two${STEERING}/agents/ag${STEERING}ent.md`]: '---\nname: [\n---\nx',
  });
  const added = await cli.run(['catalog', 'add', root, '--name', 'hostile', '--enable']);
  expect(added.code).toBe(0);
  printed.push(['catalog add', added.stdout + added.stderr]);
}, 60_000);

afterAll(() => cli.close());

const printed: [string, string][] = [];

const COMMANDS = [
  ['catalog', 'list'],
  ['catalog', 'show', 'hostile'],
  ['catalog', 'update', 'hostile'],
  ['plugin', 'list'],
  ['query', 'body'],
  ['explain', 'body', 'name'],
  ['problems'],
  ['status'],
  ['doctor'],
  ['tier', 'list'],
  ['reindex', '--force'],
  ['get', `no${STEERING}where`],
  ['catalog', 'show', `no${STEERING}where`],
  ['catalog', 'add', join('/nowhere', STEERING)],
  ['plugin', 'show', `hostile/no${STEERING}where`],
  [`no${STEERING}command`],
  ['query', `--no${STEERING}flag`],
  ['workspace', 'use', `no${STEERING}where`],
];

/** Everything below U+0020 but line end and tab, DEL, C1, bidi overrides. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('no character of a catalog or of an argument steers the terminal, in any form', async () => {
  for (const command of COMMANDS) {
    for (const form of [['--verbose'], ['--json']]) {
      const run = await cli.run([...command, ...form]);
      printed.push([[...command, ...form].join(' '), run.stdout + run.stderr]);
    }
  }
  const steered = printed.filter(([, text]) => UNSAFE.test(text));
  expect(steered).toEqual([]);
}, 120_000);

test('what went out as JSON is what the catalog said', async () => {
  const shown = await cli.run(['plugin', 'list', '--json']);
  expect(shown.records().length).toBeGreaterThan(0);
});
