import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Breadcrumb } from '../../daemon/breadcrumb.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-trail-'));
  path = join(dir, 'trail.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A life that ends while `item` is in work: nothing is closed in order. */
const dieOn = (item: string) => new Breadcrumb(path).enter(item);

test('one death on an item is forgiven, two put it into quarantine', () => {
  dieOn('/c/a.md');
  expect(new Breadcrumb(path).quarantined).toEqual([]);
  dieOn('/c/a.md');
  const next = new Breadcrumb(path);
  expect(next.quarantined).toEqual(['/c/a.md']);
  expect(next.isQuarantined('/c/a.md')).toBe(true);
  expect(next.isQuarantined('/c/b.md')).toBe(false);
});

test('a death between items blames none', () => {
  const life = new Breadcrumb(path);
  life.enter('/c/a.md');
  life.leave();
  expect(new Breadcrumb(path).quarantined).toEqual([]);
});

test('an item that was worked on without harm starts anew', () => {
  dieOn('/c/a.md');
  new Breadcrumb(path).leave(['/c/a.md']);
  dieOn('/c/a.md');
  expect(new Breadcrumb(path).quarantined).toEqual([]);
});

test('a forgiven item is out of quarantine in the next life too', () => {
  dieOn('/c/a.md');
  dieOn('/c/a.md');
  new Breadcrumb(path).forgive('/c/a.md');
  expect(new Breadcrumb(path).quarantined).toEqual([]);
});

test('a trail that cannot be read is an empty one', () => {
  writeFileSync(path, '{"inWork": 7, "deaths": {"a": "many", "b": -1}}');
  expect(new Breadcrumb(path).quarantined).toEqual([]);
  writeFileSync(path, 'half a li');
  expect(new Breadcrumb(path).quarantined).toEqual([]);
});

test('work goes on where no trail can be written', () => {
  const trail = new Breadcrumb(join(dir, 'missing', 'trail.json'));
  expect(() => trail.enter('/c/a.md')).not.toThrow();
});
