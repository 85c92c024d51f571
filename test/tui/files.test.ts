import { expect, test } from 'vitest';
import { nodeFiles } from '../../src/tui/files/node.ts';
import { fileErrorText } from '../../src/tui/files/types.ts';

test('a device without an end is given up at 64 MiB, in the tools\u2019 words', async () => {
  const failed = await nodeFiles('/')
    .readFile('/dev/zero')
    .catch((error: unknown) => error);
  expect(fileErrorText(failed, 'zero.tui')).toBe('read zero.tui: file too large');
});
