import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openCli, skill } from './run-cli.ts';
import { startLectern } from './start-lectern.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const packages: string[] = [];
afterAll(() => {
  for (const dir of packages) rmSync(dir, { recursive: true, force: true });
});

/** The built product with a model of its own, which a test may damage. */
function productWith(damage: (model: string) => void): string {
  const out = mkdtempSync(join(tmpdir(), 'lectern-package-'));
  packages.push(out);
  for (const part of ['bin', 'dist', 'models', 'package.json', 'oclif.manifest.json'])
    cpSync(join(CHECKOUT, part), join(out, part), { recursive: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(out, 'node_modules'));
  damage(join(out, 'models', 'lectern-embed-1'));
  return out;
}

const DAMAGES: {
  what: string;
  state: string;
  category: string;
  exit: number;
  damage: (model: string) => void;
}[] = [
  {
    what: 'truncated weights',
    state: 'corrupt',
    category: 'model_corrupt',
    exit: 31,
    damage: (model) => truncateSync(join(model, 'model.onnx'), 1_000_000),
  },
  {
    what: 'weights of another digest',
    state: 'checksum_mismatched',
    category: 'model_checksum_mismatch',
    exit: 32,
    damage: (model) => {
      const file = openSync(join(model, 'model.onnx'), 'r+');
      writeSync(file, Buffer.from([1, 2, 3, 4]), 0, 4, 5_000_000);
    },
  },
  {
    what: 'no weights',
    state: 'missing',
    category: 'model_missing',
    exit: 30,
    damage: (model) => rmSync(join(model, 'model.onnx')),
  },
  {
    what: 'no tokenizer',
    state: 'missing',
    category: 'model_missing',
    exit: 30,
    damage: (model) => rmSync(join(model, 'tokenizer.json')),
  },
  {
    what: 'a tokenizer that grew',
    state: 'corrupt',
    category: 'model_corrupt',
    exit: 31,
    damage: (model) => appendFileSync(join(model, 'tokenizer.json'), ' '),
  },
];

for (const { what, state, category, exit, damage } of DAMAGES) {
  test(`L-049 L-203 with ${what}, words answer, and status, doctor and verify say ${state}`, async () => {
    const cli = await openCli(productWith(damage));
    onTestFinished(() => cli.close());
    const orchard = await cli.write('orchard', {
      'skills/prune-tree/SKILL.md': skill('prune-tree', 'Prune a fruit tree in winter.'),
    });
    const lectern = await startLectern({ catalogs: [orchard], cli });
    onTestFinished(() => lectern.close());

    const search = () => lectern.call('search_skills', { query: 'prune a tree' });
    expect(await search()).toMatchObject({
      matches: [{ name: 'prune-tree' }],
      scoring: 'lexical',
      degraded: expect.stringContaining('searched by words only'),
    });
    // The fault is known once the child has read the files.
    await eventually(async () =>
      expect((await search()).degraded).toMatch(
        /(model\.onnx|tokenizer\.json).*what to do: lectern doctor/,
      ),
    );
    const [status] = (await cli.run(['status', '--json'])).records();
    expect(status).toMatchObject({ embedder: { state }, overall: 'degraded' });
    expect(status!['notes']).toContainEqual(
      expect.stringMatching(/search is lexical.*what to do: lectern doctor/),
    );
    const doctor = await cli.run(['doctor', '--json']);
    expect(doctor.code).toBe(10);
    expect(doctor.stdout).toContain(`the embedding model is ${state}`);
    const verify = await cli.run(['models', 'verify', '--json']);
    expect(verify.code).toBe(exit);
    expect(verify.error()).toMatchObject({ category, exit_code: exit });
  });
}
