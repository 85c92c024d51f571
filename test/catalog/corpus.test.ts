import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import type { CatalogReading, EntryKind, EntryReading } from '../../src/catalog/types.ts';
import { entriesOf, idsOf, problemsOf } from './plant.ts';

const CORPUS = resolve(import.meta.dirname, '../../../shared/corpus');
const isThere = existsSync(join(CORPUS, 'README.md'));
if (!isThere) {
  console.warn('SKIPPED: ../shared/corpus is missing; reading 951 real entries is not tested');
}

describe.skipIf(!isThere)('the corpus of real repositories', () => {
  const readings = new Map<string, CatalogReading>();

  beforeAll(async () => {
    for (const item of readdirSync(CORPUS, { withFileTypes: true })) {
      if (!item.isDirectory()) continue;
      readings.set(item.name, await readCatalog(join(CORPUS, item.name), { kind: 'catalog' }));
    }
  });

  const sum = (pick: (reading: CatalogReading) => number): number =>
    [...readings.values()].reduce((total, reading) => total + pick(reading), 0);

  test('951 entries are found and every one is loaded; the report says why any is not', () => {
    for (const [name, reading] of readings) {
      const errors = problemsOf(reading).filter(({ severity }) => severity === 'error');
      const warnings = problemsOf(reading).length - errors.length;
      console.info(
        `${name}: found ${counts(reading.found)}; loaded ${counts(reading.loaded)}; ` +
          `${reading.external.length} external plugins, ${errors.length} errors, ${warnings} warnings` +
          errors.map(({ message }) => `\n    ${message}`).join(''),
      );
      expect(reading.loaded).toEqual(reading.found);
    }
    expect(sum(({ found }) => found.skill)).toBe(570);
    expect(sum(({ found }) => found.command)).toBe(150);
    expect(sum(({ found }) => found.agent)).toBe(231);
  });

  test('every one of them is reachable by (catalog, plugin, kind, name)', () => {
    const ids = new Set(
      [...readings].flatMap(([catalog, reading]) => idsOf(reading).map((id) => `${catalog}/${id}`)),
    );
    expect(ids.size).toBe(951);
    expect(sum((reading) => new Set(entriesOf(reading).map(({ file }) => file)).size)).toBe(951);
  });

  test('enrolled as one folder, nested marketplaces and all, the same 951 are reachable', async () => {
    const reading = await readCatalog(CORPUS, { kind: 'catalog' });
    expect(reading.format).toBe('folder');
    expect(new Set(idsOf(reading)).size).toBe(951);
  });

  test('all entries have a name and a description; texts come whole', () => {
    for (const reading of readings.values()) {
      for (const entry of entriesOf(reading)) {
        expect(entry.name, entry.file).not.toBe('');
        expect(entry.description, entry.file).not.toBe('');
        expect(entry.body.length, entry.file).toBeGreaterThan(0);
      }
    }
  });

  test('skills below skills are found, a skill’s own agents are not', () => {
    const zoom = readings.get('anthropics__knowledge-work-plugins')!;
    const paths = entriesOf(zoom).map(({ path }) => path);
    expect(paths).toContain('skills/meeting-sdk/web/client-view/SKILL.md');
    const all = [...readings.values()].flatMap(entriesOf);
    expect(all.filter(({ kind, path }) => kind === 'agent' && path.includes('skills/'))).toEqual(
      [],
    );
  });

  test('the commonest real defect, a stray colon, keeps the description and names line and fix', () => {
    const all = [...readings.values()].flatMap(entriesOf);
    const hurt = all.filter((entry) =>
      entry.problems.some(({ message }) => message.includes('colon')),
    );
    expect(hurt.length).toBeGreaterThan(0);
    for (const entry of hurt) {
      expect(entry.description).toContain(':');
      expect(entry.problems[0]).toMatchObject({
        line: expect.any(Number),
        fix: expect.stringContaining('quotes'),
      });
    }
  });

  test('folders that a marketplace lists and that are absent survive as problems', () => {
    const official = readings.get('anthropics__claude-plugins-official')!;
    expect(official.external).toHaveLength(233);
    expect(
      official.problems.filter(({ message }) => message.includes('does not exist')),
    ).toHaveLength(13);
    const claims = readings
      .get('anthropics__skills')!
      .plugins.map(({ name, entries }) => [name, entries.length]);
    expect(claims).toEqual([
      ['document-skills', 0],
      ['example-skills', 11],
      ['claude-api', 1],
    ]);
  });

  test('reading again with everything known looks into no entry and changes nothing', async () => {
    for (const [name, reading] of readings) {
      const known = new Map(
        entriesOf(reading).map(({ body: _, unchanged: __, ...entry }) => [entry.file, entry]),
      );
      const again = await readCatalog(join(CORPUS, name), { kind: 'catalog', known });
      expect(entriesOf(again).every((entry: EntryReading) => entry.unchanged === true)).toBe(true);
      expect(idsOf(again)).toEqual(idsOf(reading));
      expect(again.watch).toEqual(reading.watch);
    }
  });
});

function counts(byKind: Record<EntryKind, number>): string {
  return `${byKind.skill} skills, ${byKind.command} commands, ${byKind.agent} agents`;
}
