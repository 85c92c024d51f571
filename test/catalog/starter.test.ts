import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import { entriesOf, problemsOf } from './plant.ts';

const STARTER = resolve(import.meta.dirname, '../../samples/starter');

test('the starter catalog is read without a single remark', async () => {
  const reading = await readCatalog(STARTER, { kind: 'catalog' });
  expect(problemsOf(reading)).toEqual([]);
  expect(reading.loaded).toEqual({ skill: 10, command: 4, agent: 0 });
  for (const entry of entriesOf(reading)) {
    expect(entry.whenToUse, entry.path).toMatch(/^Use (when|before)/);
    expect(entry.description.length, entry.path).toBeGreaterThan(80);
    expect(entry.body.split('\n').length, entry.path).toBeGreaterThan(30);
    expect(entry.body.split('\n').length, entry.path).toBeLessThan(80);
  }
});
