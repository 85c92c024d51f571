/**
 * A lifecycle scope: owns every timer, watcher, socket, child and thread that
 * was opened under it and closes them in reverse order. Nothing in lectern
 * outlives the scope it was opened in (design 15; issue: lifecycle scope).
 */
export class Scope {
  readonly name: string;
  readonly #closers: { what: string; close: () => unknown }[] = [];
  readonly #abort = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Aborted when the scope starts to close; hand it to whatever takes a signal. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** What is still owned, newest last, for the test that proves nothing is left. */
  get owned(): string[] {
    return this.#closers.map((closer) => closer.what);
  }

  /**
   * Own `resource` until the scope closes. Returns it, so that opening and
   * owning are one expression. A scope that is closing closes it at once.
   */
  own<T>(resource: T, close: (resource: T) => unknown, what = 'resource'): T {
    if (this.isClosed) {
      void Promise.resolve(close(resource)).catch(() => {});
      throw new Error(`scope ${this.name} is closed; ${what} was closed at once`);
    }
    this.#closers.push({ what, close: () => close(resource) });
    return resource;
  }

  /** A scope inside this one: closed with it, or earlier on its own. */
  child(name: string): Scope {
    const inner = new Scope(`${this.name}/${name}`);
    const closer = { what: inner.name, close: () => inner.close() };
    this.#closers.push(closer);
    inner.#abort.signal.addEventListener('abort', () => this.#forget(closer), { once: true });
    return inner;
  }

  /** A timer that cannot outlive the scope and never keeps the process alive. */
  interval(everyMs: number, what: string, tick: () => void): void {
    const timer = setInterval(tick, everyMs);
    timer.unref();
    this.own(timer, clearInterval, what);
  }

  /** Run `tick` once after `afterMs`, unless the scope closes first. Returns a cancel function. */
  timeout(afterMs: number, what: string, tick: () => void): () => void {
    const timer = setTimeout(() => {
      this.#forget(closer);
      tick();
    }, afterMs);
    const closer = { what, close: () => clearTimeout(timer) };
    this.#closers.push(closer);
    return () => {
      clearTimeout(timer);
      this.#forget(closer);
    };
  }

  /** Close everything, newest first. Safe to call twice; a failing close never keeps the rest open. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.#abort.abort(new Error(`scope ${this.name} is closed`));
    const failures: unknown[] = [];
    for (;;) {
      const closer = this.#closers.pop();
      if (closer === undefined) break;
      try {
        await closer.close();
      } catch (error) {
        failures.push(new Error(`closing ${closer.what}`, { cause: error }));
      }
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `scope ${this.name} did not close cleanly`);
  }

  #forget(closer: { what: string; close: () => unknown }): void {
    const at = this.#closers.indexOf(closer);
    if (at >= 0) this.#closers.splice(at, 1);
  }
}
