import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import type { ToolResult } from '../../src/tui/commands/result.ts';
import { runTool } from '../../src/tui/commands/tools.ts';
import type { WritableFiles } from '../../src/tui/files/types.ts';

export interface MemoryFiles extends WritableFiles {
  readonly content: Map<string, string | Uint8Array>;
  /** Paths in the order they were read. */
  readonly reads: string[];
}

/** Files in memory under `/w`; a value of `null` is a directory. */
export function memoryFiles(given: Record<string, string | Uint8Array | null>): MemoryFiles {
  const content = new Map<string, string | Uint8Array>();
  const folders = new Set<string>();
  for (const [path, text] of Object.entries(given)) {
    if (text === null) folders.add(posix.resolve('/w', path));
    else content.set(posix.resolve('/w', path), text);
  }
  const reads: string[] = [];
  return {
    cwd: '/w',
    content,
    reads,
    readFile: async (path) => {
      reads.push(path);
      const full = posix.resolve('/w', path);
      const found = path === '' ? undefined : content.get(full);
      if (folders.has(full)) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
      if (found === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      return typeof found === 'string' ? new TextEncoder().encode(found) : found;
    },
    writeFile: async (path, text) => {
      content.set(posix.resolve('/w', path), text);
    },
  };
}

/** A document whose one screen `s` holds `body`. */
export function doc(body: string, version = 2, head = ''): string {
  return `<tui version="${version}">${head}<screen id="s">${body}</screen></tui>`;
}

/** Run one tool on files in memory; `a.tui` is the usual document. */
export function tool(
  line: string | readonly string[],
  files: Record<string, string | Uint8Array | null> | MemoryFiles,
): Promise<ToolResult> {
  const [command, ...words] = typeof line === 'string' ? line.split(' ') : line;
  const isReady = 'readFile' in files && typeof files.readFile === 'function';
  const given = isReady ? (files as MemoryFiles) : memoryFiles(files as Record<string, string>);
  return runTool(command!, words, given);
}

/** Its stdout as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: reports are looked into freely
export async function json(...call: Parameters<typeof tool>): Promise<any> {
  return JSON.parse((await tool(...call)).stdout);
}

/** What was written to a stream so far. Newer Nodes give one chunk a read, older ones all of them. */
export function written(stream: Readable): string {
  const chunks: Buffer[] = [];
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
