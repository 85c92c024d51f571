import { expect, test } from 'vitest';
import { parseFlags } from '../../proxy/flags.ts';
import Mcp from '../../src/commands/mcp.ts';

test('the proxy takes every flag that the help of `lectern mcp` lists', () => {
  const listed = Object.entries({ ...Mcp.baseFlags, ...Mcp.flags });
  expect(listed.length).toBeGreaterThan(3);
  for (const [name, flag] of listed) {
    const char = 'char' in flag ? flag.char : undefined;
    for (const word of [`--${name}`, ...(char === undefined ? [] : [`-${char}`])]) {
      expect(() => parseFlags([word, 'tui']), word).not.toThrow();
    }
  }
});
