import { describe, expect, test } from 'vitest';
import { checkConformance } from '../../scripts/tui-conformance.ts';

const outcomes = await checkConformance();

if (outcomes === null) console.warn('SKIPPED: no conformance data in ../shared/tui');

describe.skipIf(outcomes === null)('conformance data (SKIPPED without ../shared/tui)', () => {
  const compared = (outcomes ?? []).filter(({ result }) => result !== 'skipped');

  test('U-155 U-154 G-182 at least 60 frames are compared', () => {
    expect(compared.length).toBeGreaterThan(60);
  });

  test.each(compared.map(({ golden, result, why }) => [golden, result, why]))(
    'U-153 U-180 G-183 G-184 %s',
    (_golden, result, why) => expect(result === 'failed' ? why : 'same').toBe('same'),
  );
});
