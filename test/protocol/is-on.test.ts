import { expect, test } from 'vitest';
import { isOn } from '../../src/protocol/link/is-on.ts';

test('a variable is on when set, non-empty and not 0, false, no or off', () => {
  const off = [undefined, '', '0', 'false', 'no', 'off', 'OFF', ' 0 '];
  const on = ['1', 'true', 'yes', 'anything'];
  expect(off.map(isOn)).toEqual(off.map(() => false));
  expect(on.map(isOn)).toEqual(on.map(() => true));
});
