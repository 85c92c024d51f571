import { expect, test } from 'vitest';
import { describeTerminal } from '../../src/cli/terminal.ts';

const tty = {
  env: {} as Record<string, string | undefined>,
  stdinIsTty: true,
  stdoutIsTty: true,
  stderrIsTty: true,
  columns: 120,
  noColour: false,
  json: false,
  nonInteractive: false,
};

test('a terminal gets colours, progress and questions', () => {
  expect(describeTerminal(tty)).toEqual({
    colour: true,
    progress: true,
    interactive: true,
    width: 120,
  });
});

test.each([
  ['a pipe', { stdoutIsTty: false }],
  ['NO_COLOR', { env: { NO_COLOR: '1' } }],
  ['NO_COLOR=0, which no-color.org counts as set', { env: { NO_COLOR: '0' } }],
  ['LECTERN_NO_COLOR', { env: { LECTERN_NO_COLOR: 'yes' } }],
  ['--no-color', { noColour: true }],
  ['--json', { json: true }],
  ['a dumb terminal', { env: { TERM: 'dumb' } }],
])('%s turns colours off', (_what, facts) => {
  expect(describeTerminal({ ...tty, ...facts }).colour).toBe(false);
});

test('an empty NO_COLOR and LECTERN_NO_COLOR=0 leave colours on', () => {
  expect(describeTerminal({ ...tty, env: { NO_COLOR: '', LECTERN_NO_COLOR: '0' } }).colour).toBe(
    true,
  );
});

test('questions are asked only where a person can see and answer them', () => {
  const asks = (facts: object) => describeTerminal({ ...tty, ...facts }).interactive;
  expect(asks({ stdinIsTty: false })).toBe(false);
  expect(asks({ stderrIsTty: false })).toBe(false);
  expect(asks({ nonInteractive: true })).toBe(false);
  expect(asks({ json: true })).toBe(false);
  expect(asks({ stdoutIsTty: false })).toBe(true);
});

test('width has a floor and a stand-in where nobody says', () => {
  expect(describeTerminal({ ...tty, columns: 5 }).width).toBe(40);
  expect(describeTerminal({ ...tty, columns: undefined }).width).toBe(100);
});
