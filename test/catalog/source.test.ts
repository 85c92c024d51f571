import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  catalogKey,
  nameFromUrl,
  parseSource,
  scrubText,
  scrubUrl,
} from '../../src/catalog/source.ts';

test.each([
  ['fruit/orchard', 'https://github.com/fruit/orchard'],
  ['gh:fruit/orchard', 'https://github.com/fruit/orchard'],
  ['gl:fruit/orchard', 'https://gitlab.com/fruit/orchard'],
  ['bb:fruit/orchard.git', 'https://bitbucket.org/fruit/orchard.git'],
  ['https://host.example/a/orchard', 'https://host.example/a/orchard'],
  ['git@host.example:fruit/orchard.git', 'git@host.example:fruit/orchard.git'],
  ['ssh://git@host.example/orchard', 'ssh://git@host.example/orchard'],
  ['git://host.example/orchard', 'git://host.example/orchard'],
  ['file:///srv/orchard', 'file:///srv/orchard'],
])('L-033 %s is the repository %s', (input, url) => {
  expect(parseSource(input, '/home/ana')).toMatchObject({
    kind: 'git',
    url,
    publicUrl: url,
    name: expect.stringContaining('orchard'),
  });
});

test.each([
  'gl:foo',
  'gh:a/b/c',
  'gl:a@b/c',
  './a/b',
  'a/b/c',
  '.a/b',
  '/a/b',
  'a b/c',
  '.',
  'orchard',
])('L-034 %s is a local path', (input) => {
  expect(parseSource(input, '/home/ana').kind).toBe('directory');
});

test('L-035 a relative path is taken from the working directory and enrolled in place', () => {
  expect(parseSource('../orchard', '/home/ana')).toEqual({
    kind: 'directory',
    path: '/home/orchard',
    name: 'orchard',
  });
});

test.each([
  ['https://user:secret@host.example/x', 'https://host.example/x'],
  ['https://token@host.example/x', 'https://host.example/x'],
  ['https://user:p@ss@host.example:8443/x', 'https://host.example:8443/x'],
  ['https://user:se/cret@host.example/x', 'https://host.example/x'],
  ['ssh://git:secret@host.example/x', 'ssh://git@host.example/x'],
  ['https://host.example:8443/a@b', 'https://host.example:8443/a@b'],
  ['git@host.example:x', 'git@host.example:x'],
])('L-036 %s is stored as %s', (url, stored) => {
  expect(scrubUrl(url)).toBe(stored);
  expect(parseSource(url, '/').kind === 'git' && parseSource(url, '/')).toMatchObject({
    url,
    publicUrl: stored,
  });
});

test('L-036 URLs in the words of other programs lose their userinfo', () => {
  expect(scrubText("fatal: unable to access 'https://u:s3cret@h.example/x/': no")).toBe(
    "fatal: unable to access 'https://h.example/x/': no",
  );
});

test('one source has one key, with or without credentials', () => {
  const key = catalogKey('https://user:secret@host.example/x');
  expect(key).toBe(createHash('sha256').update('https://host.example/x').digest('hex'));
  expect(catalogKey('https://host.example/x')).toBe(key);
});

test('law: scrubbing twice changes nothing more, and no password survives', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9._~!-]{4,12}$/);
  fc.assert(
    fc.property(fc.constantFrom('https', 'http', 'ssh'), word, word, (scheme, user, secret) => {
      const scrubbed = scrubUrl(`${scheme}://${user}:#${secret}@host.example/x`.replace('#', ''));
      expect(scrubbed).not.toContain(`:${secret}@`);
      expect(scrubUrl(scrubbed)).toBe(scrubbed);
    }),
  );
});

test.each([
  ['https://host.example/fruit/orchard.git', 'orchard'],
  ['git@host.example:orchard.git', 'orchard'],
  ['https://host.example/fruit/orchard/', 'orchard'],
  ['https://host.example/fruit/orchard?x=1', 'orchard'],
])('%s is called %s', (url, name) => {
  expect(nameFromUrl(url)).toBe(name);
});
