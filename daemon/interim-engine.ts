import { searchLexical } from '../src/search/lexical.ts';
import { createLexicon } from '../src/search/lexicon.ts';
import { readQueryWords } from '../src/search/query-words.ts';
import { unpackTerms } from '../src/search/terms.ts';
import type { SearchEngine } from '../src/search/types.ts';
import type { Database } from '../src/store/database.ts';
import type { IndexView } from '../src/store/index-view.ts';

export function interimEngine(view: () => IndexView, db: () => Database): SearchEngine {
  let clock = -1;
  let lexicon = createLexicon();
  return {
    async search({ query, allowed, topK }) {
      const v = view();
      if (v.clock !== clock) {
        clock = v.clock;
        lexicon = createLexicon();
        for (const row of db().all<{ entry_id: number; terms: ArrayBuffer }>(
          'select entry_id, terms from bodies',
        )) {
          const entry = v.entries.get(row.entry_id);
          if (entry) lexicon.set(row.entry_id, entry, unpackTerms(new Uint8Array(row.terms)));
        }
      }
      const hits = searchLexical(db(), lexicon, readQueryWords(query, lexicon), allowed, topK);
      return {
        scoring: 'lexical',
        hits: hits.map((h) => ({ entry: v.entries.get(h.id)!, score: h.score, alsoIn: [] })),
        relevance: null,
        degraded: 'interim',
      };
    },
    model: () => ({ name: null, version: null, state: 'missing', detail: 'interim' }),
  };
}
