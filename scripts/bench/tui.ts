import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { openLineClient } from '../../src/cli/quickstart/line-client.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { runTool } from '../../src/tui/commands/tools.ts';
import { nodeFiles } from '../../src/tui/files/node.ts';
import type { Files } from '../../src/tui/files/types.ts';
import { type Measurement, median } from './measure.ts';
import { BIN, openProduct, PACKAGE_ROOT } from './product.ts';

const REFERENCE = join(PACKAGE_ROOT, '..', 'shared', 'tui');
const SIZE = ['--cols', '120', '--rows', '30'];

/** Warm: V8 goes on compiling the engine for about a hundred dumps. */
const WARM = 100;
const ROUNDS = 40;
const TABLE_ROWS = 10_000;
const MANY_CALLS = 10_000;

interface Document {
  directory: string;
  file: string;
  data: string | null;
}

/** The largest document of the reference data, else the larger of our own samples. */
function largestDocument(): Document {
  const manifest = join(REFERENCE, 'manifest.json');
  if (!existsSync(manifest)) {
    console.error('the reference documents are not there: measured on samples/tui/deploy.tui');
    return {
      directory: join(PACKAGE_ROOT, 'samples/tui'),
      file: 'deploy.tui',
      data: 'deploy.json',
    };
  }
  const { goldens } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    goldens: { document: string | null; data: string | null }[];
  };
  const [largest] = goldens
    .filter((golden) => golden.document !== null)
    .map((golden) => ({ ...golden, bytes: statSync(join(REFERENCE, golden.document!)).size }))
    .sort((a, b) => b.bytes - a.bytes);
  const path = join(REFERENCE, largest!.document!);
  const directory = dirname(path);
  const { data } = largest!;
  return {
    directory,
    file: basename(path),
    data: data === null ? null : relative(directory, join(REFERENCE, data)),
  };
}

/** Files read once: the library takes texts, and what the disk takes is not its time. */
function inMemory(directory: string): Files {
  const { cwd, readFile } = nodeFiles(directory);
  const kept = new Map<string, Promise<Uint8Array>>();
  return {
    cwd,
    readFile: (path) => {
      const known = kept.get(path) ?? readFile(path);
      kept.set(path, known);
      return known;
    },
  };
}

type RunTool = typeof runTool;

/**
 * The engine bundled with the options of scripts/build/: from source, tsx adds a call to every
 * function that users never pay for.
 */
async function bundleEngine(scope: Scope): Promise<RunTool> {
  const directory = await makeDirectory(scope);
  const outfile = join(directory, 'engine.mjs');
  await build({
    stdin: {
      contents: "export { runTool } from './src/tui/commands/tools.ts';",
      resolveDir: PACKAGE_ROOT,
    },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    charset: 'utf8',
    outfile,
  });
  return ((await import(pathToFileURL(outfile).href)) as { runTool: RunTool }).runTool;
}

/** The same files, but the document was edited before every read. */
function editedEachTime(files: Files, document: string): Files {
  let edits = 0;
  const readFile = async (path: string): Promise<Uint8Array> => {
    const bytes = await files.readFile(path);
    if (path !== document) return bytes;
    edits += 1;
    return Buffer.concat([bytes, Buffer.from(`<!-- ${edits} -->`)]);
  };
  return { cwd: files.cwd, readFile };
}

/** Median milliseconds of a whole dump in this process, engine warm: read, laid out and printed anew. */
async function timeDump(
  run: RunTool,
  { directory, file, data }: Document,
  rounds: number,
  wrap: (files: Files) => Files = (files) => files,
): Promise<number> {
  const words = [file, ...SIZE, ...(data === null ? [] : ['--data', data])];
  const files = wrap(inMemory(directory));
  const times: number[] = [];
  for (let round = -WARM; round < rounds; round += 1) {
    const startedAt = performance.now();
    const { exitCode, stdout, stderr } = await run('dump', words, files);
    if (exitCode !== 0) throw new Error(`${file}: ${stderr || stdout.slice(-500)}`);
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function makeDirectory(scope: Scope): Promise<string> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'lectern-bench-tui-'));
  return scope.own(directory, (path) => rm(path, { recursive: true, force: true }), 'directory');
}

async function writeTable(scope: Scope): Promise<Document> {
  const directory = await makeDirectory(scope);
  const rows = Array.from({ length: TABLE_ROWS }, (_, n) => ({
    id: n,
    name: `row ${n}`,
    load: n % 97,
  }));
  await writeFile(join(directory, 'rows.json'), JSON.stringify({ rows }));
  await writeFile(
    join(directory, 'table.tui'),
    `<tui version="2"><screen id="main"><table id="t" each="rows as row" key="row.id"><column title="id">{row.id}</column><column title="name">{row.name}</column><column title="load">{row.load}</column></table></screen></tui>`,
  );
  return { directory, file: 'table.tui', data: 'rows.json' };
}

/** Megabytes of heap that 10,000 dumps leave behind. */
async function measureGrowth(run: RunTool, document: Document): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  await timeDump(run, document, 200);
  const before = heap();
  await timeDump(run, document, MANY_CALLS);
  return heap() - before;
}

async function timeThroughProxy(scope: Scope, document: Document): Promise<number> {
  const product = await openProduct(scope);
  const client = scope.own(
    await openLineClient([process.execPath, BIN, 'mcp', '--surface', 'tui'], {
      cwd: document.directory,
      env: product.env,
    }),
    (open) => open.close(),
    'proxy',
  );
  const call = {
    file: document.file,
    cols: 120,
    rows: 30,
    ...(document.data === null ? {} : { data: document.data }),
  };
  const times: number[] = [];
  for (let round = -WARM; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await client.callTool('tuimark_dump', call);
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Dumps of the largest document here and through a proxy, of a long table, and what many leave behind. */
export async function measureTui(scope: Scope): Promise<Measurement[]> {
  const largest = largestDocument();
  const small = {
    directory: join(PACKAGE_ROOT, 'samples/tui'),
    file: 'tasks.tui',
    data: 'tasks.json',
  };
  const run = await bundleEngine(scope);
  const edited = (files: Files) => editedEachTime(files, largest.file);
  return [
    {
      what: 'dump of the largest document at 120×30, warm',
      value: await timeDump(run, largest, ROUNDS),
      unit: 'ms',
      most: 5,
    },
    {
      what: 'the same, the document edited before each',
      value: await timeDump(run, largest, ROUNDS, edited),
      unit: 'ms',
    },
    {
      what: 'the same through a proxy, not edited',
      value: await timeThroughProxy(scope, largest),
      unit: 'ms',
      most: 15,
    },
    {
      what: `table of ${TABLE_ROWS} rows`,
      value: await timeDump(run, await writeTable(scope), ROUNDS),
      unit: 'ms',
      most: 50,
    },
    {
      what: `heap grown over ${MANY_CALLS} dumps`,
      value: await measureGrowth(run, small),
      unit: 'MB',
      // Half a kilobyte a call would show; the collector's own noise is below.
      most: 5,
    },
  ];
}
