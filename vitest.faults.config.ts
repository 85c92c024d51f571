import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: the long tests that kill, stop and starve real processes. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Faults are timed against a real daemon; two at once would disturb each other.
    maxWorkers: 1,
    passWithNoTests: true,
  },
});
