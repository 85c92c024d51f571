import type { AdminMethod, ParamsOf, ResultOf } from '../../protocol/admin/method.ts';
import type { Paint } from '../paint.ts';
import type { Step } from '../progress.ts';

/** What a tour is asked for, and what it needs of the command around it. */
export interface Tour {
  /** Folders to enrol; the starter catalog when empty. */
  folders: string[];
  /** Queries to ask; taken from the entries when empty. */
  queries: string[];
  /** Use the person's own state root instead of a private one that is removed. */
  isGlobal: boolean;
  /** The installed package. */
  root: string;
  paint: Paint;
  width: number;
  print: (line: string) => void;
  showStep: (step: Step) => void;
  endSteps: () => void;
  /** Start the daemon of the state root in use. */
  startDaemon: () => Promise<unknown>;
  /** Ask the running daemon; rejects at once when the person interrupts. */
  ask: <M extends AdminMethod>(method: M['method'], params: ParamsOf<M>) => Promise<ResultOf<M>>;
  /** Ask it to stop, interrupted or not. */
  stopDaemon: () => Promise<unknown>;
}

/** What the tour did and how long each step took, for `--json`; times in milliseconds. */
export interface TourReport {
  catalogs: {
    name: string;
    folder: string;
    plugins: number;
    entries: { found: number; loaded: number; dropped: number };
    problems: number;
    searchable_ms: number;
  }[];
  /** Null without a model, or while it still embeds. */
  embedded_ms: number | null;
  /** From the spawn of `lectern mcp` until initialize was answered. */
  initialize_ms: number;
  searches: { query: string; ms: number; relevance: string | null; matches: Match[] }[];
  /** The best match of the first search; null when nothing matched. */
  loaded: { catalog: string; plugin: string; name: string; characters: number; ms: number } | null;
  /** What an agent host starts. */
  command: string[];
}

/** A result of a search, as `search_skills` answers it. */
export interface Match {
  catalog: string;
  plugin: string;
  name: string;
  kind: string;
  description: string;
  score: number;
}
