import { expect, test } from 'vitest';
import { plainUsage } from '../../src/cli/plain-usage.ts';

test.each([
  [
    'Parsing --top-k \n\tExpected an integer greater than or equal to 1 but received: 0',
    '--top-k wants a whole number of at least 1, got "0"',
  ],
  [
    'Parsing --top-k \n\tExpected an integer less than or equal to 100 but received: 101',
    '--top-k wants a whole number of at most 100, got "101"',
  ],
  [
    'Parsing --lines \n\tExpected an integer but received: x',
    '--lines wants a whole number, got "x"',
  ],
  ['Parsing --other \n\tit is wrong', '--other: it is wrong'],
  [
    'Expected --kind=foo to be one of: skill, command, agent',
    '--kind wants one of skill, command, agent, got "foo"',
  ],
  ['Expected tcsh to be one of: bash, zsh, fish', '"tcsh" is none of: bash, zsh, fish'],
  ['Flag --release expects a value', '--release wants a value'],
  [
    'Flag --kind expects one of these values: skill, command, agent',
    '--kind wants one of skill, command, agent',
  ],
  ['Nonexistent flag: --zork', 'there is no flag --zork'],
  ['Nonexistent flags: --zork, --yak', 'there are no flags --zork, --yak'],
  ['Unexpected argument: b', 'not expected here: b'],
  ['Unexpected arguments: b, c', 'not expected here: b, c'],
  [
    'The following error occurred:\n  All of the following must be provided when using --catalog: --plugin',
    '--catalog needs --plugin too',
  ],
  [
    'The following error occurred:\n  --query=b cannot also be provided when using --release',
    '--query and --release exclude each other',
  ],
  ['command catalog:list:a:b not found', 'not expected here: a b'],
  ['something else', 'something else'],
])('%j is said as %j', (message, plain) => {
  expect(plainUsage(message, 'catalog list')).toBe(plain);
});
