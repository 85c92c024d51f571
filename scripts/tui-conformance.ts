/**
 * Compares the tools with the conformance data beside the checkout, byte for byte: every golden frame
 * of the manifest, text and JSON. Prints passed, failed and skipped, and for each failure the first
 * place that differs. Exit 1 when a hard golden fails.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../src/tui/commands/tools.ts';
import { nodeFiles } from '../src/tui/files/node.ts';

interface Golden {
  readonly golden: string;
  readonly format: 'text' | 'json';
  readonly document: string | null;
  readonly data: string | null;
  readonly cols: number;
  readonly rows: number;
  readonly theme: string | null;
  readonly styles: boolean;
  readonly cells: boolean;
  readonly strict: boolean;
  readonly play: readonly string[];
  readonly match: string;
  readonly note?: string;
}

export interface Outcome {
  readonly golden: string;
  /** `differs`: a golden that is only believed to fit this document, so no hard failure. */
  readonly result: 'passed' | 'failed' | 'differs' | 'skipped';
  readonly why: string;
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'shared', 'tui');

/** Compare every golden; `null` when the data is not there. */
export async function checkConformance(root = ROOT): Promise<Outcome[] | null> {
  const manifest = join(root, 'manifest.json');
  if (!existsSync(manifest)) return null;
  const { goldens } = JSON.parse(readFileSync(manifest, 'utf8')) as { goldens: Golden[] };
  const outcomes: Outcome[] = [];
  for (const golden of goldens) outcomes.push(await checkGolden(root, golden));
  return outcomes;
}

async function checkGolden(root: string, golden: Golden): Promise<Outcome> {
  const name = golden.golden;
  if (golden.document === null || golden.match === 'no-document') {
    return { golden: name, result: 'skipped', why: 'its exact document is not available' };
  }
  const want = readFileSync(join(root, name), 'utf8');
  const { got, expected } = await run(root, golden, want);
  const difference = firstDifferentCell(expected, got);
  if (difference === null) return { golden: name, result: 'passed', why: '' };
  const result = golden.match === 'equivalent' ? 'differs' : 'failed';
  const note = result === 'differs' ? `\n    (not hard: ${golden.note})` : '';
  return { golden: name, result, why: difference + note };
}

/** A transcript names its own command line in its first line; all else is a dump or a play. */
async function run(root: string, golden: Golden, want: string) {
  if (golden.golden.endsWith('.validate.txt')) {
    const { stdout } = await runTool('validate', [golden.document!], nodeFiles(root));
    return { got: stdout, expected: want.slice(want.indexOf('\n') + 1) };
  }
  const words = [golden.document!, '--cols', `${golden.cols}`, '--rows', `${golden.rows}`];
  words.push('--format', golden.format);
  if (golden.data !== null) words.push('--data', golden.data);
  if (golden.theme !== null) words.push('--theme', golden.theme);
  for (const flag of ['styles', 'cells', 'strict'] as const)
    if (golden[flag]) words.push(`--${flag}`);
  const command = golden.play.length > 0 ? 'play' : 'dump';
  const { stdout, stderr } = await runTool(command, words, nodeFiles(root), golden.play);
  return { got: stdout + stderr, expected: want };
}

/** Line and column of the first difference, with both lines. */
function firstDifferentCell(want: string, got: string): string | null {
  if (want === got) return null;
  const wanted = want.split('\n');
  const lines = got.split('\n');
  const row = wanted.findIndex((line, i) => line !== lines[i]);
  if (row < 0) return `${lines.length - wanted.length} lines more than wanted`;
  const [a, b] = [[...wanted[row]!], [...(lines[row] ?? '')]];
  const at = a.findIndex((char, i) => char !== b[i]);
  const col = at < 0 ? a.length : at;
  return `line ${row + 1} column ${col + 1}\n    want ${wanted[row]}\n    got  ${lines[row] ?? '(no such line)'}`;
}

async function main(): Promise<number> {
  const outcomes = await checkConformance();
  if (outcomes === null) {
    console.log('SKIPPED: the conformance data (../shared/tui) is not here; nothing was compared');
    return 0;
  }
  for (const { golden, result, why } of outcomes) {
    if (result !== 'passed') console.log(`${result.toUpperCase()} ${golden}: ${why}`);
  }
  const count = (wanted: string) => outcomes.filter(({ result }) => result === wanted).length;
  const soft = count('differs') > 0 ? `, ${count('differs')} differ (not hard)` : '';
  const line = `${count('passed')} passed, ${count('failed')} failed${soft}`;
  console.log(`${line}, ${count('skipped')} skipped`);
  return count('failed') > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
