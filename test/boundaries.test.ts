import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const SOURCES = ['src', 'daemon', 'proxy'];

interface Import {
  /** Module as written. */
  specifier: string;
  /** Repository path, for relative ones. */
  file: string | null;
  isType: boolean;
  isDynamic: boolean;
}

const STATEMENT =
  /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** Imports of one module, by its text: comments are taken out, strings are not looked into further. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return [...text.matchAll(STATEMENT)].map((match) => {
    const specifier = match[2] ?? match[3]!;
    return {
      specifier,
      file: specifier.startsWith('.')
        ? relative(root, resolve(root, dirname(file), specifier))
        : null,
      isType: match[1] !== undefined,
      isDynamic: match[3] !== undefined,
    };
  });
}

const files = SOURCES.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const graph = new Map(files.map((file) => [file, importsOf(file)]));

/** Everything that `file` loads when it runs. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { file: next, isType } of graph.get(file) ?? []) {
    if (next !== null && !isType) loaded(next, seen);
  }
  return seen;
}

/** `from imports to`, for each import that breaks a rule. */
function offenders(
  isSubject: (file: string) => boolean,
  isAllowed: (imported: Import, file: string) => boolean,
): string[] {
  return [...graph]
    .filter(([file]) => isSubject(file))
    .flatMap(([file, imports]) =>
      imports
        .filter((imported) => !isAllowed(imported, file))
        .map((imported) => `${file} imports ${imported.specifier}`),
    );
}

test('the parser of imports sees what there is to see', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(importsOf('daemon/main.ts')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ file: 'daemon/run-daemon.ts', isDynamic: false }),
      expect.objectContaining({ file: 'daemon/serve.ts', isDynamic: true }),
    ]),
  );
});

test('src never imports daemon or proxy', () => {
  const found = offenders(
    (file) => file.startsWith('src/'),
    ({ file }) => file === null || !/^(daemon|proxy)\//.test(file),
  );
  expect(found).toEqual([]);
});

test('proxy and src/protocol/link load each other and built-ins, nothing else', () => {
  const found = offenders(
    (file) => file.startsWith('proxy/') || file.startsWith('src/protocol/link/'),
    ({ specifier, file, isType }) =>
      isType ||
      (file === null
        ? specifier.startsWith('node:') && isBuiltin(specifier)
        : file.startsWith('proxy/') || file.startsWith('src/protocol/link/')),
  );
  expect(found).toEqual([]);
});

test('src/protocol/link knows nothing of the proxy', () => {
  const found = offenders(
    (file) => file.startsWith('src/protocol/link/'),
    ({ file }) => file === null || !file.startsWith('proxy/'),
  );
  expect(found).toEqual([]);
});

test('commands reach state through the daemon: no store, index, surface or library object', () => {
  const forbidden = /^(src\/(store|mcp)\/|src\/library\/library\.ts)/;
  const found = offenders(
    (file) => file.startsWith('src/commands/'),
    ({ file, isType }) => file === null || isType || !forbidden.test(file),
  );
  expect(found).toEqual([]);
});

test('no native module is loaded by proxy, link or the command line at its start', () => {
  const native = /^(libsql|onnxruntime-node|hnswlib-node|fastembed)$/;
  for (const entry of [
    'proxy/main.ts',
    'proxy/open-relay.ts',
    'src/cli/main.ts',
    'src/protocol/client.ts',
  ]) {
    const reached = [...loaded(entry)].flatMap((file) => graph.get(file) ?? []);
    expect(reached.filter(({ specifier }) => native.test(specifier))).toEqual([]);
  }
});

test('what answers a first line loads nothing of what reaches the daemon', () => {
  const first = loaded('proxy/main.ts');
  const behind = loaded('proxy/open-relay.ts');
  const reaching = ['proxy/relay.ts', 'src/protocol/link/reach-daemon.ts'];
  expect([...behind]).toEqual(expect.arrayContaining(reaching));
  expect(reaching.filter((file) => first.has(file))).toEqual([]);
});

test('every relative import names a file that exists', () => {
  const found = offenders(
    () => true,
    ({ file }) => file === null || graph.has(file) || /\.(json|css)$/.test(file),
  );
  expect(found).toEqual([]);
});

test('there is no import cycle', () => {
  const cycles: string[] = [];
  const done = new Set<string>();
  function visit(file: string, path: string[]): void {
    const at = path.indexOf(file);
    if (at >= 0) {
      cycles.push([...path.slice(at), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const { file: next, isType } of graph.get(file) ?? []) {
      if (next !== null && !isType) visit(next, [...path, file]);
    }
    done.add(file);
  }
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});
