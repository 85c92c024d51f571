import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sweepLeftovers } from '../../src/search/vectors/snapshot.ts';
import { createVectorStore } from '../../src/search/vectors/store.ts';

const KILLS = 12;
const SCRIPT = join(import.meta.dirname, 'save-forever.ts');

/** Kill -9 after some saves and a seeded moment more. */
async function saveAndKill(dir: string, saves: number, moreMs: number): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = 0;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      seen += String(chunk).split('\n').length - 1;
      if (seen >= saves) resolve();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, moreMs));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test(
  'vectors whose saving is killed at any moment come back whole, and leftovers go',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'lectern-killed-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await saveAndKill(dir, 1, (kill * 37) % 200);
      const store = createVectorStore('kill-test', 384, 500);
      const restored = await store.restore(dir);
      expect(restored.kind).toBe('restored');
      await store.adoptGraphs(restored);
      expect(store.entries.size).toBe(2_000);
      for (let owner = 1; owner <= 2_000; owner += 97) {
        const [row] = store.entries.rowsOf(owner);
        expect(store.entries.vectorAt(row!)[5]).toBeCloseTo(Math.sin(owner + 5), 5);
      }
      await store.close();
      await sweepLeftovers(dir);
      expect(readdirSync(dir).length).toBeLessThanOrEqual(3);
    }
  },
  10 * 60_000,
);
