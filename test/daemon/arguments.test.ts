import { expect, test } from 'vitest';
import { readArguments } from '../../daemon/arguments.ts';

test.each([
  ['run', { mode: 'foreground', stateRoot: null }],
  ['run --service', { mode: 'service', stateRoot: null }],
  ['run --on-demand', { mode: 'on-demand', stateRoot: null }],
  ['--stdio', { mode: 'stdio', stateRoot: null, because: null }],
  ['--stdio --because none', { mode: 'stdio', because: 'none' }],
  ['run --service --state-root /a/b', { mode: 'service', stateRoot: '/a/b' }],
  ['run --state-root=/a/b', { mode: 'foreground', stateRoot: '/a/b' }],
])('%s', (line, wanted) => {
  expect(readArguments(line.split(' '))).toMatchObject(wanted);
});

test.each(['run --nope', 'run /a/b', 'run --state-root'])('%s is refused', (line) => {
  expect(readArguments(line.split(' '))).toHaveProperty('fault');
});
