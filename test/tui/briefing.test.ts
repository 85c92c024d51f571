import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { briefing } from '../../src/tui/briefing.ts';
import { ATTRIBUTES, COMMON, TAGS } from '../../src/tui/language/catalog.ts';
import { CODES } from '../../src/tui/language/codes.ts';
import { BUILTINS_V2, KEY_NAMES } from '../../src/tui/language/keymap.ts';
import { PROPERTIES } from '../../src/tui/style/properties.ts';
import { tool } from './tools.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'src', 'tui');

/** Every code that the sources raise, found by its literal. */
function raisedCodes(): Set<string> {
  const codes = new Set<string>();
  for (const entry of readdirSync(SOURCE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'codes.ts') continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, code] of text.matchAll(/'([VLB]\d{3})'/g)) codes.add(code!);
  }
  return codes;
}

describe('agents', () => {
  test('U-227 prints the briefing, which ends with a full stop and LF', async () => {
    expect(await tool('agents', {})).toEqual({ stdout: briefing(), stderr: '', exitCode: 0 });
    expect(briefing()).toMatch(/\.\n$/);
  });

  test('U-227 U-228 it holds every row of the tables of the validator', () => {
    const text = briefing();
    for (const { tag } of TAGS) expect(text).toContain(`- \`${tag}\``);
    for (const { byVersion } of ATTRIBUTES)
      for (const names of byVersion) expect(text).toContain(names.replace(COMMON, '').trim());
    for (const { name } of PROPERTIES)
      expect(text).toMatch(new RegExp(`^- \`${name}\`.*: .+$`, 'm'));
    for (const { code, severity, trigger } of CODES) {
      expect(text).toContain(`| ${code} | ${severity} | `);
      expect(text).toContain(trigger);
    }
    for (const name of [...KEY_NAMES, ...BUILTINS_V2]) expect(text).toContain(name);
  });

  test('U-228 values of properties are those that the parser names', () => {
    const text = briefing();
    expect(text).toContain('- `layout`: column | row | grid (v2)\n');
    expect(text).toContain(
      '- `wrap` (inherited): wrap | nowrap | truncate | truncate-start (v3) | truncate-middle (v3)\n',
    );
    expect(text).toContain('- `padding`: 1-4 cell values\n');
    expect(text).toContain('- `row-gap` (v3): one integer 0-4\n');
    expect(text).toContain('- `width`: N, N%, Nfr, or auto\n');
    expect(text).toMatch(/- `color` \(inherited\): \$token, var\(--token\)/);
  });

  test('U-228 the topics', () => {
    for (const topic of [
      'validate',
      'dump',
      '--cols 120',
      'play',
      '--theme light',
      'class:NAME',
      '@theme',
      'stick="bottom"',
      'keymap',
      'priority',
      'scale',
      'truncate-start',
      'ctrl+c',
      'L008',
    ]) {
      expect(briefing()).toContain(topic);
    }
  });

  test('U-126 U-227 the codes that are raised are those of the table', () => {
    const listed = new Set(CODES.map(({ code }) => code));
    const raised = raisedCodes();
    expect([...raised].filter((code) => !listed.has(code))).toEqual([]);
    expect([...listed].filter((code) => !raised.has(code))).toEqual([]);
  });
});
