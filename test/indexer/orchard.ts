import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type IndexerClient,
  type IndexerOptions,
  startIndexer,
} from '../../daemon/indexer/client.ts';
import type { LogLevel } from '../../daemon/indexer/messages.ts';
import { Scope } from '../../src/core/scope.ts';
import { type StatePaths, statePaths } from '../../src/protocol/link/state-paths.ts';
import { ftsText } from '../../src/search/tokenise.ts';

export interface LogLine {
  level: LogLevel;
  message: string;
  fields: Record<string, unknown>;
}

/** A state root and a place for catalogs in a temp dir, with an indexer that can live several times. */
export interface Orchard {
  /** Canonical temp dir; catalogs go below it. */
  dir: string;
  paths: StatePaths;
  breadcrumb: string;
  logged: LogLine[];
  /** Start an indexer on the same state; the one before is closed first. */
  start(options?: Pick<IndexerOptions, 'hangMs'>): Promise<IndexerClient>;
  stop(): Promise<void>;
  /** Stop, and remove everything. */
  clear(): Promise<void>;
  at(...parts: string[]): string;
  write(path: string, content: string): string;
}

export function plantOrchard(): Orchard {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-index-')));
  const home = join(dir, 'home');
  mkdirSync(home, { mode: 0o700 });
  const paths = statePaths(home);
  const logged: LogLine[] = [];
  const breadcrumb = join(home, 'breadcrumb-indexer.json');
  let scope: Scope | undefined;
  const log = (level: LogLevel) => (fields: Record<string, unknown>, message: string) => {
    logged.push({ level, message, fields });
  };
  const orchard: Orchard = {
    dir,
    paths,
    breadcrumb,
    logged,
    async start(options = {}) {
      await orchard.stop();
      scope = new Scope('test');
      return startIndexer({
        paths,
        scope,
        breadcrumb,
        ...options,
        log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      });
    },
    async stop() {
      await scope?.close();
      scope = undefined;
    },
    async clear() {
      await orchard.stop();
      rmSync(dir, { recursive: true, force: true });
    },
    at: (...parts) => join(dir, ...parts),
    write(path, content) {
      const file = join(dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
  return orchard;
}

/** The text of a skill. */
export function skill(name: string, description: string, body = 'Do it with care.'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\n${body}\n`;
}

/** `kind name: description` of every entry, sorted. */
export function listEntries(indexer: IndexerClient): string[] {
  return [...indexer.view.entries.values()]
    .map((entry) => `${entry.kind} ${entry.name}: ${entry.description}`)
    .sort();
}

/** Names of the entries whose indexed words contain all words of `text`, sorted. */
export function findLexically(indexer: IndexerClient, text: string): string[] {
  const query = ftsText(text)
    .split(' ')
    .map((word) => `"${word}"`)
    .join(' AND ');
  return indexer
    .database()
    .all<{ id: number }>('SELECT rowid AS id FROM entries_fts WHERE entries_fts MATCH ?', query)
    .map((row) => indexer.view.entries.get(row.id)?.name ?? `row ${row.id} without an entry`)
    .sort();
}
