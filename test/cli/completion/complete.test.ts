import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { CompletableCommand } from '../../../src/cli/completion/commands.ts';
import { completionScript } from '../../../src/cli/completion/complete.ts';

const commands: CompletableCommand[] = [
  {
    words: ['catalog', 'add'],
    summary: "Enrol a catalog: it's quick.",
    flags: [{ name: 'name', char: 'n', takesValue: true, options: [], summary: 'Name [shown].' }],
  },
  { words: ['catalog', 'list'], summary: 'List.', flags: [] },
  {
    words: ['query'],
    summary: 'Search.',
    flags: [
      { name: 'kind', takesValue: true, options: ['skill', 'agent'], summary: 'Only this kind.' },
    ],
  },
];

/** What bash offers at the end of `line`. */
function completeInBash(line: string): string[] {
  const words = line.split(' ');
  const script = `${completionScript('bash', commands, {})}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_lectern; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const run = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: '/' });
  expect(run.stderr).toBe('');
  return run.stdout.split('\n').filter((word) => word !== '');
}

test('bash offers commands, then what follows a topic, then flags, then the values of a flag', () => {
  expect(completeInBash('lectern ')).toEqual(['catalog', 'query']);
  expect(completeInBash('lectern catalog ')).toEqual(['add', 'list']);
  expect(completeInBash('lectern catalog add --')).toEqual(['--name']);
  expect(completeInBash('lectern query --')).toEqual(['--kind']);
  expect(completeInBash('lectern query --kind ')).toEqual(['skill', 'agent']);
});

test('zsh and fish scripts name every command and quote what people wrote', () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const script = completionScript(shell, commands, { catalog: 'Enrol and list.' });
    expect(script).toContain('Enrol and list.');
    expect(script).not.toContain('catalog commands');
    expect(script).toContain("it'\\''s quick");
    for (const word of ['catalog', 'add', 'list', 'query', 'kind']) expect(script).toContain(word);
  }
});
