import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../core/atomic-file.ts';
import type { AdaptiveSearch } from './hnsw.ts';
import {
  checkParts,
  DamagedFile,
  digest,
  openFile,
  PART_BYTES,
  type Part,
  readParts,
  sealFile,
  writeParts,
} from './sealed-file.ts';
import { NoRoom, type TableImage, type VectorTable } from './table.ts';

/**
 * A copy of the vectors in memory, and of their graph, as plain files: reading
 * them takes a twentieth of what reading the rows of index.db takes, and a graph
 * of 60,000 rows takes 20 s to build. index.db stays the truth: each row carries
 * the digest of its text, and whoever restores compares all of them.
 *
 * `manifest.json` names the files that belong together, by length and SHA-256,
 * and is replaced in one step; a file that it does not name is left over.
 */
const MANIFEST = 'manifest.json';

/** Grows with every change to what the files mean. */
const FORMAT = 1;

/** A manifest has 70 bytes for each megabyte of rows; beyond this it is no manifest. */
const MAX_MANIFEST_BYTES = 16 << 20;

/** Names that are ours, so that a manifest cannot name anything outside the directory. */
const FILE_NAME = /^[0-9a-f-]{36}\.(rows|graph)$/;

interface Manifest {
  format: number;
  byteOrder: 'little' | 'big';
  model: string;
  dim: number;
  /** All tables one after another: owners, places and texts of each, then its rows. */
  rows: { file: string; parts: Part[] };
  tables: {
    rows: number;
    rowBytes: number;
    /** Null where the table has none. */
    graph: { file: string; parts: Part[] } | null;
  }[];
}

/** What is saved and restored together, in this order. */
export interface SnapshotSource {
  model: string;
  tables: readonly { table: VectorTable; search: AdaptiveSearch }[];
}

export type Restored =
  | { kind: 'restored'; rows: number; graphs: (SealedGraph | null)[] }
  /** There is none, or one that does not fit: of another model, machine or version, or too large. */
  | { kind: 'none'; reason: string }
  | { kind: 'damaged'; reason: string };

/** The graph of one table, with what it must be to be read. */
export interface SealedGraph {
  path: string;
  parts: readonly Part[];
}

/** The vectors changed while they were being saved; what was written is gone again. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

/**
 * Save everything, replacing what was saved before.
 *
 * @param signal checked between parts
 * @throws ChangedMeanwhile, the signal's reason, or what the file system says; the old snapshot stays
 */
export async function saveSnapshot(
  dir: string,
  source: SnapshotSource,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const changes = source.tables.map(({ table }) => table.changes);
  const checkUnchanged = (): void => {
    signal.throwIfAborted();
    if (source.tables.some(({ table }, i) => table.changes !== changes[i]))
      throw new ChangedMeanwhile('vectors changed while they were being saved');
  };
  const made: string[] = [];
  const name = (kind: 'rows' | 'graph'): string => {
    const file = `${randomUUID()}.${kind}`;
    made.push(file);
    return file;
  };
  try {
    const images = source.tables.map(({ table }) => table.takeImage());
    const rowsFile = name('rows');
    const parts = await writeParts(
      join(dir, rowsFile),
      partsOf(source.tables, images, checkUnchanged),
    );
    const tables: Manifest['tables'] = [];
    for (const [i, { table, search }] of source.tables.entries()) {
      const { rows, rowBytes } = images[i]!;
      const file = name('graph');
      const isSaved = await search.saveGraph(join(dir, file));
      const graph = isSaved ? { file, parts: await sealFile(join(dir, file)) } : null;
      // The graph's library does not say that the disk was full. Its file holds every row.
      if (graph !== null && sizeOf(graph.parts) < table.size * rowBytes)
        throw new DamagedFile(`${file} could not be written in full`);
      tables.push({ rows, rowBytes, graph });
      checkUnchanged();
    }
    const manifest: Manifest = {
      format: FORMAT,
      byteOrder: byteOrder(),
      model: source.model,
      dim: source.tables[0]!.table.dim,
      rows: { file: rowsFile, parts },
      tables,
    };
    const text = JSON.stringify(manifest);
    await replaceFile(join(dir, MANIFEST), `${text}\n${await digest(Buffer.from(text))}\n`);
    await syncDirectory(dir);
    await sweep(dir, namesIn(manifest));
  } catch (error) {
    // A later attempt, or the next start, sweeps what cannot be removed now.
    for (const file of made) await rm(join(dir, file), { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Fill empty tables. Graphs are not read here: they come later, while searches
 * are exact.
 */
export async function restoreSnapshot(dir: string, source: SnapshotSource): Promise<Restored> {
  try {
    const manifest = await readManifest(dir);
    if (manifest === undefined) return { kind: 'none', reason: 'there is none yet' };
    const misfit = findMisfit(manifest, source);
    if (misfit !== undefined) return { kind: 'none', reason: misfit };
    const parts = readParts(join(dir, manifest.rows.file), manifest.rows.parts);
    const restores = [];
    try {
      for (const [i, { table }] of source.tables.entries()) {
        const { rows, rowBytes } = manifest.tables[i]!;
        const image: TableImage = {
          rows,
          rowBytes,
          owners: new Int32Array((await take(parts)).buffer),
          places: new Int32Array((await take(parts)).buffer),
          texts: await take(parts),
        };
        const restore = table.beginRestore(image);
        const perPart = rowsPerPart(rowBytes);
        for (let first = 0; first < rows; first += perPart) restore.put(await take(parts));
        restores.push(restore);
      }
      const { done } = await parts.next();
      if (done !== true) throw new DamagedFile('the manifest names more parts than there are rows');
    } finally {
      await parts.return(undefined);
    }
    for (const { search } of source.tables) search.awaitGraph();
    for (const restore of restores) restore.end();
    return {
      kind: 'restored',
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      graphs: manifest.tables.map(
        ({ graph }) => graph && { path: join(dir, graph.file), parts: graph.parts },
      ),
    };
  } catch (error) {
    if (error instanceof NoRoom) return { kind: 'none', reason: error.message };
    // Whatever cannot be read is of no use: the rows come from index.db.
    return { kind: 'damaged', reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Read the graphs of a restored snapshot, in its order. What has none, or a
 * damaged one, builds its graph of its rows.
 *
 * @throws DamagedFile, or what the graph's library says, after every table went on
 */
export async function adoptGraphs(
  source: SnapshotSource,
  graphs: readonly (SealedGraph | null)[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const [i, { search }] of source.tables.entries()) {
    const graph = graphs[i] ?? null;
    try {
      if (graph !== null) await checkParts(graph.path, graph.parts);
      await search.adoptGraph(graph?.path ?? null);
    } catch (error) {
      failures.push(error);
      await search.adoptGraph(null);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Remove a snapshot. */
export async function removeSnapshot(dir: string): Promise<void> {
  // First what makes the others a snapshot.
  await rm(join(dir, MANIFEST), { force: true });
  await sweep(dir, new Set());
}

/** Remove what a save left that was killed. */
export async function sweepLeftovers(dir: string): Promise<void> {
  const manifest = await readManifest(dir);
  await sweep(dir, manifest === undefined ? new Set() : namesIn(manifest));
}

async function sweep(dir: string, kept: ReadonlySet<string>): Promise<void> {
  const isOurs = (file: string): boolean => FILE_NAME.test(file) || file.startsWith(`${MANIFEST}.`);
  for (const file of await readdir(dir).catch(() => [])) {
    if (isOurs(file) && !kept.has(file)) await rm(join(dir, file), { force: true });
  }
}

function namesIn({ rows, tables }: Manifest): Set<string> {
  return new Set([
    rows.file,
    ...tables.flatMap(({ graph }) => (graph === null ? [] : [graph.file])),
  ]);
}

/** @throws DamagedFile */
async function readManifest(dir: string): Promise<Manifest | undefined> {
  const path = join(dir, MANIFEST);
  let file: FileHandle;
  try {
    file = await openFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size } = await file.stat();
    if (size > MAX_MANIFEST_BYTES) throw new DamagedFile(`${path} has ${size} bytes`);
    const [text, sum] = (await file.readFile('utf8')).split('\n');
    if (sum === undefined || sum !== (await digest(Buffer.from(text!))))
      throw new DamagedFile(`${path} is damaged`);
    const manifest = JSON.parse(text!) as Manifest;
    // Its digest says that a lectern wrote it; of which version, only this.
    if (manifest.format === FORMAT && ![...namesIn(manifest)].every((name) => FILE_NAME.test(name)))
      throw new DamagedFile(`${path} names a file that is no part of a snapshot`);
    return manifest;
  } finally {
    await file.close();
  }
}

function findMisfit(manifest: Manifest, source: SnapshotSource): string | undefined {
  if (manifest.format !== FORMAT) return `its format is ${manifest.format}, not ${FORMAT}`;
  if (manifest.byteOrder !== byteOrder()) return 'it was made on a machine of another byte order';
  if (manifest.model !== source.model) return `it was made with the model ${manifest.model}`;
  const { dim } = source.tables[0]!.table;
  if (manifest.dim !== dim) return `its vectors have ${manifest.dim} dimensions, not ${dim}`;
  return undefined;
}

function* partsOf(
  tables: SnapshotSource['tables'],
  images: readonly TableImage[],
  check: () => void,
): Iterable<Uint8Array> {
  for (const [i, { table }] of tables.entries()) {
    const { rows, rowBytes, owners, places, texts } = images[i]!;
    yield new Uint8Array(owners.buffer);
    yield new Uint8Array(places.buffer);
    yield texts;
    const perPart = rowsPerPart(rowBytes);
    for (let first = 0; first < rows; first += perPart) {
      check();
      yield table.copyRows(first, Math.min(perPart, rows - first));
    }
  }
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

function rowsPerPart(rowBytes: number): number {
  return Math.max(1, Math.floor(PART_BYTES / rowBytes));
}

async function take(
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { done, value } = await parts.next();
  if (done === true) throw new DamagedFile('the manifest names fewer parts than there are rows');
  return value;
}

function byteOrder(): Manifest['byteOrder'] {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'little' : 'big';
}

/** A rename is on the disk once its directory is; where directories cannot be opened, soon. */
async function syncDirectory(dir: string): Promise<void> {
  try {
    const handle = await open(dir, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows, some network file systems. A lost rename leaves the old manifest, whose files are checked.
  }
}
