import { formatAge, formatBytes } from '../cli/measure.ts';
import { count } from '../cli/text.ts';
import { withTilde } from './rows.ts';
import type { Pulse, Standing, Status } from './snapshot.ts';

/** A line of a name and what is to be said under it. */
export interface Fact {
  label: string;
  value: string;
  is_warning: boolean;
}

/** Polled roots and notes that are listed; `lectern doctor` has them all. */
const MOST_LISTED = 6;

/** The index in a few lines: what it holds, how far it is, what works less well than it could. */
export function shapeIndexFacts(
  standing: Standing | null,
  pulse: Pulse | null,
  home: string,
  now: number,
): Fact[] {
  if (standing === null) return [];
  const { status } = standing;
  const { skills, commands, agents } = status.entries;
  const facts: Fact[] = [
    fact(
      'entries',
      [count(skills, 'skill'), count(commands, 'command'), count(agents, 'agent')].join(', '),
    ),
    fact('embedder', describeModel(status), status.embedder.state !== 'ok'),
    fact('progress', describeProgress(status)),
    fact('on disk', describeDisk(status, now), !status.index.integrity_ok),
  ];
  const polled = pulse?.metrics?.polled ?? [];
  for (const { root, reason } of polled.slice(0, MOST_LISTED)) {
    facts.push(fact('polled', `${withTilde(root, home)}: ${reason}`, true));
  }
  // Told of above already.
  const told = /^search is lexical|is polled: /;
  for (const note of (status.notes ?? []).filter((it) => !told.test(it)).slice(0, MOST_LISTED)) {
    facts.push(fact('note', note, true));
  }
  return facts;
}

/** 0 to 100, or null while there is nothing to do. */
export function indexProgress(status: Status | undefined): number | null {
  const { stage, done, total } = status?.indexing ?? { stage: 'idle', done: 0, total: 0 };
  if (stage === 'idle') return null;
  return total === 0 ? 0 : Math.min(100, (100 * done) / total);
}

function describeModel({ embedder }: Status): string {
  const name = [embedder.name, embedder.version].filter((part) => part !== null).join(' ');
  if (embedder.state === 'ok') return name;
  return `${name === '' ? 'the model' : name} is ${embedder.state}: search goes by words alone`;
}

function describeProgress({ indexing }: Status): string {
  if (indexing === undefined || indexing.stage === 'idle') return 'up to date';
  return `${indexing.stage}: ${indexing.done} of ${indexing.total}`;
}

function describeDisk({ index, reindexed_at }: Status, now: number): string {
  const size = index.size_bytes === null ? 'size unknown' : formatBytes(index.size_bytes);
  const read = reindexed_at === null ? '' : `, read again ${formatAge(reindexed_at * 1000, now)}`;
  return `${size}${index.integrity_ok ? '' : ', damaged'}${read}`;
}

export function fact(label: string, value: string, isWarning = false): Fact {
  return { label, value, is_warning: isWarning };
}
