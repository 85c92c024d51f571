import { formatDuration } from '../cli/measure.ts';
import { agentOf, type TableName, workspaceOf } from './columns.ts';
import { type Fact, fact } from './index-facts.ts';
import { withTilde } from './rows.ts';
import type { Catalog, Problem, Search, SessionRow, Snapshot } from './snapshot.ts';

/** One row in full. */
export interface Detail {
  title: string;
  rows: Fact[];
}

/** Everything known of the row with that key; says so when it is gone meanwhile. */
export function shapeDetail(
  table: TableName,
  key: number | string,
  snapshot: Snapshot,
  home: string,
): Detail {
  const { pulse, standing } = snapshot;
  switch (table) {
    case 'sessions': {
      const session = pulse?.sessions.find((it) => it.id === key);
      return session === undefined
        ? gone('session', key)
        : detailOfSession(session, snapshot, home);
    }
    case 'searches': {
      const search = pulse?.metrics?.searches.find((it) => it.id === key);
      return search === undefined ? gone('search', key) : detailOfSearch(search);
    }
    case 'catalogs': {
      const catalog = standing?.status.catalogs?.find((it) => it.name === key);
      return catalog === undefined ? gone('catalog', key) : detailOfCatalog(catalog);
    }
    case 'problems': {
      const problem = standing?.problems[Number(key) - 1];
      return problem === undefined ? gone('problem', key) : detailOfProblem(problem, home);
    }
  }
}

function detailOfSession(session: SessionRow, { pulse }: Snapshot, home: string): Detail {
  const asked = (pulse?.metrics?.searches ?? []).filter((it) => it.harness === session.harness);
  return {
    title: `session ${session.id}`,
    rows: [
      fact('agent', agentOf(session)),
      fact('process', `pid ${session.pid}, lectern ${session.version}`),
      fact(
        'serves',
        session.role === 'admin' ? 'a lectern command' : `the ${session.surface} tools`,
      ),
      fact('workspace', workspaceOf(session)),
      fact('directory', withTilde(session.cwd, home)),
      fact('requests', `${session.calls} answered, ${session.inFlight} in flight`),
      fact('connected', formatDuration(session.ageMs)),
      // Searches are known by the agent's name, which several sessions may share.
      ...(session.harness === null
        ? []
        : asked.slice(0, 5).map((it) => fact('searched', `${it.query}: ${it.best ?? 'nothing'}`))),
    ],
  };
}

function detailOfSearch(search: Search): Detail {
  const relevance = search.relevance === null ? '' : `, ${search.relevance}`;
  return {
    title: `search ${search.id}`,
    rows: [
      fact('query', search.query),
      fact('best match', search.best ?? 'nothing', search.best === null),
      fact(
        'matches',
        `${search.matches}, ${search.scoring}${relevance}`,
        search.relevance === 'weak',
      ),
      fact('took', formatDuration(search.ms)),
      fact('asked by', search.harness ?? 'a lectern command'),
      fact('workspace', search.workspace),
      fact('at', new Date(search.at).toLocaleString('sv-SE')),
    ],
  };
}

function detailOfCatalog(catalog: Catalog): Detail {
  const { found, loaded, dropped } = catalog.entries ?? { found: 0, loaded: 0, dropped: 0 };
  return {
    title: `catalog ${catalog.name}`,
    rows: [
      fact('source', catalog.url),
      fact('kept', catalog.in_place === true ? 'read where it is' : `a clone of ${catalog.ref}`),
      fact('format', catalog.format ?? 'unknown'),
      fact('plugins', String(catalog.plugin_count)),
      fact('entries', `${found} found, ${loaded} loaded, ${dropped} dropped`, dropped > 0),
      fact('problems', String(catalog.problems ?? 0), (catalog.problems ?? 0) > 0),
      fact('synced', catalog.last_synced ?? 'its directory is missing'),
      fact('more', `lectern catalog show ${catalog.name}`),
    ],
  };
}

function detailOfProblem(problem: Problem, home: string): Detail {
  const file = withTilde(problem.file, home);
  return {
    title: problem.severity,
    rows: [
      fact('problem', problem.message, true),
      fact('file', problem.line === undefined ? file : `${file}:${problem.line}`),
      fact('catalog', problem.catalog),
      fact('plugin', problem.plugin ?? 'the catalog itself'),
      ...(problem.fix === undefined ? [] : [fact('fix', problem.fix)]),
    ],
  };
}

function gone(what: string, key: number | string): Detail {
  return { title: `${what} ${key}`, rows: [fact('gone', `this ${what} is no longer there`)] };
}
