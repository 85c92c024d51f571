import type { Session } from './session.ts';

/** The sessions of a daemon, with what they have answered and what they still owe. */
export class OpenSessions {
  readonly #open = new Set<Session>();
  readonly #settledListeners = new Set<() => void>();
  #callsOfClosed = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Requests taken and not answered, over all sessions. */
  get inFlight(): number {
    return this.list().reduce((sum, session) => sum + session.inFlight, 0);
  }

  /** Requests answered since the daemon began. */
  get calls(): number {
    return this.list().reduce((sum, session) => sum + session.calls, this.#callsOfClosed);
  }

  /** Oldest first. */
  list(): Session[] {
    return [...this.#open];
  }

  add(session: Session): void {
    this.#open.add(session);
  }

  remove(session: Session): void {
    this.#callsOfClosed += session.calls;
    this.#open.delete(session);
  }

  /** A request was answered, or a session ended: whoever waits for that looks again. */
  noteSettled(): void {
    for (const look of [...this.#settledListeners]) look();
  }

  /** Resolves when nothing but `but` requests is in flight, or after `timeoutMs`. */
  drained(timeoutMs: number, but = 0): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.inFlight <= but) finish();
      };
      const finish = () => {
        clearTimeout(timer);
        this.#settledListeners.delete(look);
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#settledListeners.add(look);
      look();
    });
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.list().map((session) => session.close()));
  }
}
