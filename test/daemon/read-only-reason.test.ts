import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readOnlyReason } from '../../daemon/compose.ts';
import { openFrozenIndex } from '../../daemon/open-frozen-index.ts';
import { Scope } from '../../src/core/scope.ts';
import { openLibraryBench } from '../wire/library-bench.ts';

test('without an index a read-only session says why there is no daemon, and that there is no index', () => {
  const reason = readOnlyReason({}, 'sockets are not allowed here: listen EPERM');
  expect(() => openFrozenIndex('/nonexistent/index.db', new Scope('test'), reason)).toThrow(
    /there is no index at \/nonexistent\/index\.db.*cannot make one.*sockets are not allowed here: listen EPERM/,
  );
  expect(readOnlyReason({ LECTERN_NO_DAEMON: '1' }, 'whatever')).toBe('LECTERN_NO_DAEMON is set');
  expect(readOnlyReason({})).toBe('this session runs without a daemon of its own');
});

test('where no daemon can be born and no index is, each call tells both', async () => {
  const bench = openLibraryBench({ skills: 1 });
  mkdirSync(bench.paths.root, { mode: 0o700 });
  // A file where the log directory should be: every birth fails.
  writeFileSync(bench.paths.logs, '');
  const said = (await bench.start().call('list_catalogs')).error?.message ?? '';
  expect(said).toContain('there is no index');
  expect(said).toMatch(/logs is a file, where a directory belongs/);
});
