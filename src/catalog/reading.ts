import { join } from 'node:path';
import { isInside, resolveReal } from './contain.ts';
import type { ReadLimits } from './limits.ts';
import type { Pacer } from './pace.ts';
import { type BoundedFile, readBoundedSync } from './read-bounded.ts';
import type { ScanBudget, ScanScope } from './scan-tree.ts';
import type { KnownEntry, Problem } from './types.ts';

export interface ReadOptions {
  kind: 'catalog' | 'project';
  signal?: AbortSignal;
  /** Files set aside because reading them ended the process: named, never opened. */
  skipFiles?: ReadonlySet<string>;
  /** Called before the content of a file is looked into, with its canonical path. */
  onFile?: (path: string) => void;
  /** Entries of an earlier reading by `file`: unchanged ones are not read again. */
  known?: ReadonlyMap<string, KnownEntry>;
  /** Other enrolled roots, absolute and canonical, that links may lead into. */
  alsoAllowed?: readonly string[];
  /**
   * Read on where `tome-catalog.toml` cannot be used: its fault becomes a
   * problem and folders count as plugins (library contract 2.2, after enrolment).
   */
  lenient?: boolean;
  limits?: Partial<ReadLimits>;
}

/** What every part of one reading shares. */
export interface Reading extends ScanScope {
  /** Absolute and canonical. */
  root: string;
  budget: ScanBudget;
  pacer: Pacer;
  limits: ReadLimits;
  skipFiles: ReadonlySet<string>;
  onFile: (path: string) => void;
  known: ReadonlyMap<string, KnownEntry>;
  problems: Problem[];
}

/**
 * A manifest below a directory; null where there is none. One that may not be
 * read (outside the root, too large, set aside) is null too, with a problem.
 */
export function readManifest(
  reading: Reading,
  directory: string,
  name: string,
  maxBytes: number,
): (BoundedFile & { path: string }) | null {
  const path = join(directory, name);
  const real = resolveReal(path);
  if (real === undefined) return null;
  const refuse = (message: string, fix: string): null => {
    reading.problems.push({ severity: 'error', file: path, message, fix });
    return null;
  };
  if (!reading.allowed.some((root) => isInside(root, real))) {
    return refuse(
      'the manifest is a link out of the catalog and is not read',
      'put a copy in its place',
    );
  }
  if (reading.skipFiles.has(real)) return refuse(...QUARANTINED);
  const found = readBoundedSync(real, maxBytes);
  if ('refused' in found) {
    if (found.refused === 'missing') return null;
    return refuse(
      `the manifest is not read: ${found.detail}`,
      'put a regular, smaller file in its place',
    );
  }
  reading.onFile(real);
  return { ...found.file, path: real };
}

/** Message and fix for a file that ended the process twice (design 3 D). */
export const QUARANTINED: readonly [string, string] = [
  'the file is set aside: reading it ended the daemon before',
  'mend or delete it, then: lectern reindex',
];
