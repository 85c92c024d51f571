/** Retrieval metrics over judged queries: recall@1, recall@5, MRR@10. Pure. */

export interface Judged {
  id: string;
  /** `paraphrase`, `mixed`, `keyword`, or `none` where nothing should be found. */
  style: string;
  /** Acceptable files; empty for `none`. */
  relevant: readonly string[];
  /** Best first; each rank with every file of identical text that was folded into it. */
  ranked: readonly (readonly string[])[];
  /** Of the answer; undefined while the product does not say. */
  relevance: 'weak' | 'strong' | undefined;
}

export interface Scores {
  'recall@1': number;
  'recall@5': number;
  'mrr@10': number;
  queries: number;
}

export interface Report extends Scores {
  byStyle: Record<string, Scores>;
  /** Share of `none` queries answered as if something fitted; null while the answers do not say. */
  noneStrong: number | null;
  /** The same share of the queries that have an answer. */
  answeredStrong: number | null;
}

/** 1-based rank of the best-ranked acceptable file; undefined when none is ranked. */
export function rankOf(judged: Judged): number | undefined {
  const acceptable = new Set(judged.relevant);
  const at = judged.ranked.findIndex((files) => files.some((file) => acceptable.has(file)));
  return at === -1 ? undefined : at + 1;
}

function score(queries: readonly Judged[]): Scores {
  const ranks = queries.map(rankOf);
  const share = (within: number): number =>
    ranks.filter((rank) => rank !== undefined && rank <= within).length / ranks.length;
  const reciprocal = ranks.reduce<number>(
    (sum, rank) => sum + (rank !== undefined && rank <= 10 ? 1 / rank : 0),
    0,
  );
  return {
    'recall@1': share(1),
    'recall@5': share(5),
    'mrr@10': reciprocal / ranks.length,
    queries: queries.length,
  };
}

/** Scores over the queries that have targets, in all and per style; `none` apart. */
export function scoreAll(queries: readonly Judged[]): Report {
  const withTargets = queries.filter((query) => query.relevant.length > 0);
  const styles = [...new Set(withTargets.map((query) => query.style))];
  const none = queries.filter((query) => query.relevant.length === 0);
  return {
    ...score(withTargets),
    byStyle: Object.fromEntries(
      styles.map((style) => [style, score(withTargets.filter((query) => query.style === style))]),
    ),
    noneStrong: shareStrong(none),
    answeredStrong: shareStrong(withTargets),
  };
}

function shareStrong(queries: readonly Judged[]): number | null {
  if (queries.every((query) => query.relevance === undefined)) return null;
  return queries.filter((query) => query.relevance === 'strong').length / queries.length;
}

/** The report for people: one line in all, one a style. */
export function formatReport(report: Report): string {
  const line = (name: string, scores: Scores): string =>
    [
      name.padEnd(12),
      scores['recall@1'].toFixed(3).padStart(9),
      scores['recall@5'].toFixed(3).padStart(9),
      scores['mrr@10'].toFixed(3).padStart(8),
      String(scores.queries).padStart(8),
    ].join(' ');
  return [
    `${''.padEnd(12)}  recall@1  recall@5   mrr@10  queries`,
    line('all', report),
    ...Object.entries(report.byStyle).map(([style, scores]) => line(style, scores)),
    `answered as strong: ${formatShare(report.noneStrong)} of those without an answer, ${formatShare(report.answeredStrong)} of the others`,
  ].join('\n');
}

function formatShare(share: number | null): string {
  return share === null ? 'unknown (no calibrated ranking)' : share.toFixed(3);
}
