import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const { runScript } = (await import(
  join(import.meta.dirname, '../../scripts/build/run-script.mjs')
)) as {
  runScript(name: string, args: string[], input?: string, deadlineMs?: number): Promise<void>;
};

function scriptOf(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'step.cjs');
  writeFileSync(file, source);
  return pathToFileURL(file).href;
}

// A proxy that fails while it is compiled ahead answers nothing, and once held the build for ever.
test('a step of the build that hangs is ended, and what it said is told', async () => {
  const hangs = scriptOf('console.error("the proxy is broken"); setInterval(() => {}, 1000);');
  await expect(runScript(hangs, [], '', 500)).rejects.toThrow(
    /did not end within 500 ms; it said: the proxy is broken/,
  );
});

test('a step of the build that fails fails the build, and what it said is told', async () => {
  const fails = scriptOf('console.error("no room"); process.exit(3);');
  await expect(runScript(fails, [])).rejects.toThrow(/no room/);
});

test('a step of the build that hangs and hears no signal is ended all the same', async () => {
  const deaf = scriptOf('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);');
  await expect(runScript(deaf, [], '', 500)).rejects.toThrow(/did not end within 500 ms/);
});

test('a step of the build that ends before it read its input fails with what it said', async () => {
  const hasty = scriptOf('process.stdin.destroy(); console.error("no room"); process.exit(3);');
  await expect(runScript(hasty, [], 'x'.repeat(4_000_000))).rejects.toThrow(/no room/);
});
