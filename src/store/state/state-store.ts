import { Bindings } from './bindings.ts';
import { Enablement } from './enablement.ts';
import { Enrolments } from './enrolments.ts';
import { Settings } from './settings.ts';
import type { StateDatabase, StateRescue } from './state-database.ts';
import { Tiers } from './tiers.ts';
import { Trust } from './trust.ts';
import { Usage } from './usage.ts';
import { Workspaces } from './workspaces.ts';

/**
 * Everything people decided, over state.db, one member for each kind of decision.
 * Every write is one transaction; `clock` grows with each, so that what is
 * derived can be cached by it. Close it with the scope that opened it.
 */
export class StateStore {
  readonly workspaces: Workspaces;
  readonly enrolments: Enrolments;
  readonly enablement: Enablement;
  readonly tiers: Tiers;
  readonly bindings: Bindings;
  readonly trust: Trust;
  readonly settings: Settings;
  readonly usage: Usage;
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
    this.workspaces = new Workspaces(db);
    this.enrolments = new Enrolments(db);
    this.enablement = new Enablement(db);
    this.tiers = new Tiers(db);
    this.bindings = new Bindings(db);
    this.trust = new Trust(db);
    this.settings = new Settings(db);
    this.usage = new Usage(db);
  }

  get clock(): number {
    return this.#db.clock;
  }

  get schemaVersion(): number {
    return this.#db.schemaVersion;
  }

  /** Called after each change of a decision. @returns stops it */
  onChange(listener: () => void): () => void {
    return this.#db.onChange(listener);
  }

  /** See `StateDatabase.rescues`. */
  get rescues(): readonly StateRescue[] {
    return this.#db.rescues;
  }

  /** See `StateDatabase.keepFile`. */
  keepFile(isUrgent = false): StateRescue | null {
    return this.#db.keepFile(isUrgent);
  }

  close(): void {
    this.#db.close();
  }
}
