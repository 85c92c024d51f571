import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  assignPersonaNames,
  assignPromptNames,
  CONVERSION_PROMPT,
  derivePromptName,
  type PromptCandidate,
  sanitise,
} from '../../src/library/prompt-names.ts';

function candidate(changes: Partial<PromptCandidate> = {}): PromptCandidate {
  return {
    catalog: 'c',
    plugin: 'p',
    kind: 'command',
    name: 'n',
    promptName: null,
    indexedAt: 0,
    ...changes,
  };
}

function assign(...candidates: PromptCandidate[]): string[] {
  const assigned = assignPromptNames(candidates, [CONVERSION_PROMPT]);
  return candidates.map((it) => assigned.get(it)!);
}

test('L-165 plugin and entry are sanitised and joined', () => {
  expect(derivePromptName(candidate({ plugin: 'My Plugin!', name: 'Fix__Issue' }))).toBe(
    'my_plugin__fix_issue',
  );
});

test('L-165 the portions are cut at 16 and 32 without a trailing underscore', () => {
  const name = derivePromptName(
    candidate({ plugin: `${'a'.repeat(15)} bcd`, name: 'b'.repeat(40) }),
  );
  expect(name).toBe(`${'a'.repeat(15)}__${'b'.repeat(32)}`);
});

test('L-166 prompt_name replaces both portions, sanitised, at most 48', () => {
  expect(derivePromptName(candidate({ promptName: 'Do It Now' }))).toBe('do_it_now');
  expect(derivePromptName(candidate({ promptName: 'x'.repeat(60) }))).toBe('x'.repeat(48));
});

test('L-167 of three that collide the oldest keeps the name', () => {
  const all = [3, 1, 2].map((indexedAt) =>
    candidate({ promptName: 'x', indexedAt, name: `${indexedAt}` }),
  );
  expect(assign(...all)).toEqual(['x3', 'x', 'x2']);
});

test('L-167 ties go by catalog, plugin, kind and name', () => {
  const all = [
    candidate({ promptName: 'x', catalog: 'b' }),
    candidate({ promptName: 'x', catalog: 'a', name: 'z' }),
    candidate({ promptName: 'x', catalog: 'a', name: 'a' }),
  ];
  expect(assign(...all)).toEqual(['x3', 'x2', 'x']);
});

test('L-168 a suffix never takes a name that another bucket uses', () => {
  const all = [
    candidate({ promptName: 'x', indexedAt: 1 }),
    candidate({ promptName: 'x', indexedAt: 2 }),
    candidate({ promptName: 'x2', indexedAt: 3 }),
  ];
  expect(assign(...all)).toEqual(['x', 'x3', 'x2']);
});

test('L-169 an entry that derives a built-in name is suffixed', () => {
  expect(assign(candidate({ promptName: CONVERSION_PROMPT }))).toEqual([`${CONVERSION_PROMPT}2`]);
});

test('every entry gets a name, and no two the same', () => {
  const anyCandidate = fc.record({
    catalog: fc.constantFrom('a', 'b'),
    plugin: fc.constantFrom('p', 'P!', 'p2'),
    kind: fc.constantFrom('skill' as const, 'command' as const),
    name: fc.constantFrom('n', 'N', 'n2', '2'),
    promptName: fc.constantFrom(null, 'x', 'x2', CONVERSION_PROMPT),
    indexedAt: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(anyCandidate), (candidates) => {
      const names = assign(...candidates);
      expect(new Set(names).size).toBe(candidates.length);
      expect(names).not.toContain(undefined);
      expect(names).not.toContain(CONVERSION_PROMPT);
    }),
  );
});

test('sanitised names hold only what a prompt name may', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(sanitise(text)).toMatch(/^([a-z0-9-]([a-z0-9_-]*[a-z0-9-])?)?$/);
    }),
  );
});

test('L-176 personas carry the plugin only where two agents share a name', () => {
  const agents = [
    { plugin: 'p', name: 'Helper' },
    { plugin: 'q', name: 'helper' },
    { plugin: 'q', name: 'other' },
  ];
  const names = assignPersonaNames(agents, []);
  expect(agents.map((it) => names.get(it))).toEqual([
    'p-helper-persona',
    'q-helper-persona',
    'other-persona',
  ]);
});

test('L-177 a long agent name is shortened so that the suffix survives within 48', () => {
  const agent = { plugin: 'p', name: 'a'.repeat(80) };
  const name = assignPersonaNames([agent], []).get(agent)!;
  expect(name).toBe(`${'a'.repeat(40)}-persona`);
});
