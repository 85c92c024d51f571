import { Scope } from '../../src/core/scope.ts';
import { Breadcrumb } from '../breadcrumb.ts';
import { Cookies } from './cookies.ts';
import { IndexStore } from './index-store.ts';
import type { FromIndexer, IndexerThreadData, LogLevel } from './messages.ts';
import type { ReadCatalog } from './root-reader.ts';
import { Roots } from './roots.ts';

/** What the indexer thread works with. */
export interface IndexerParts {
  /** Closes all of them. */
  scope: Scope;
  store: IndexStore;
  roots: Roots;
  cookies: Cookies;
  /** What was found out about the index and no part of it keeps. */
  found: { integrityOk: boolean; reindexedAt: number | null };
  /** Tell the main thread. */
  tell(message: FromIndexer): void;
  tellHealth(): void;
  log(level: LogLevel, message: string, fields: Record<string, unknown>): void;
}

/** Nothing is opened or read yet but the breadcrumb. */
export function openIndexerParts(
  data: IndexerThreadData,
  readCatalog: ReadCatalog,
  tell: (message: FromIndexer) => void,
): IndexerParts {
  const scope = new Scope('indexer');
  const log: IndexerParts['log'] = (level, message, fields) =>
    tell({ tell: 'log', level, message, fields });
  const breadcrumb = scope.own(
    new Breadcrumb(data.breadcrumb),
    (trail) => trail.close(),
    'breadcrumb',
  );
  for (const file of breadcrumb.quarantined) log('warn', 'a file is left alone', { file });

  const found: IndexerParts['found'] = { integrityOk: true, reindexedAt: null };
  const tellHealth = () =>
    tell({
      tell: 'health',
      health: {
        state: store.state,
        detail: store.detail,
        polled: roots.polled,
        quarantined: breadcrumb.quarantined.map((file) => ({
          file,
          reason: 'reading it ended lectern twice',
        })),
        ...found,
        reading: roots.progress,
      },
    });
  const store: IndexStore = scope.own(
    new IndexStore(data.indexDb, {
      onState: tellHealth,
      onDamage: (reason) => {
        found.integrityOk = false;
        tell({ tell: 'damaged', reason });
      },
    }),
    (opened) => opened.close(),
    'index',
  );
  // Before any root: where watches run out, it is a root that is polled.
  const cookies = new Cookies(data.cookies, scope);
  const roots: Roots = new Roots({
    store,
    breadcrumb,
    scope,
    readCatalog,
    onChange: (change) => tell({ tell: 'change', change }),
    onHealth: tellHealth,
    log,
  });
  return { scope, store, roots, cookies, found, tell, tellHealth, log };
}
