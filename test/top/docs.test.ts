import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HELP } from '../../src/top/help.ts';
import { memoryFiles, tool } from '../tui/tools.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(docs, 'tui.md'), 'utf8');

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;
}

/** The commands of the page, each with what it is said to print. */
const runs = [...page.matchAll(/```console\n([\s\S]*?)```/g)]
  .flatMap(([, text]) => text!.split(/^\$ /m).slice(1))
  .map((run) => {
    const [command, ...lines] = run.split('\n');
    return { command: command!, output: lines.join('\n') };
  });

const example = block('xml');
const files = memoryFiles({
  'queue.tui': example,
  'queue.json': block('json'),
  // The page's second block of JSON; the only one that is a list.
  'golden/manifest.json': /```json\n(\[[\s\S]*?)```/.exec(page)![1]!,
  'wrong.tui': example.replace('title="JOB"', 'titel="JOB"'),
});

test('the page shows runs of the tools', () => {
  expect(runs).toHaveLength(5);
});

test.each(runs)('docs/tui.md: $command prints what the page says', async ({ command, output }) => {
  const words = [...command.split('lectern tui ')[1]!.matchAll(/'([^']*)'|(\S+)/g)];
  const { stdout } = await tool(
    words.map(([, quoted, word]) => quoted ?? word!),
    files,
  );
  // `…` stands for what the page leaves out.
  for (const part of output.split('…\n')) expect(stdout).toContain(part);
});

test('docs/top.md names every key of the help', () => {
  const top = readFileSync(join(docs, 'top.md'), 'utf8');
  for (const { keys } of HELP) {
    for (const key of keys.split(' ').filter((it) => it !== '…'))
      expect(top).toContain(`\`${key}\``);
  }
});
