/** Keeps the project of one session read and watched, whichever directory that is by now. */
export class ProjectHold {
  readonly #lease: (root: string) => Promise<() => void>;
  #root: string | null = null;
  #held: Promise<() => void> = Promise.resolve(() => {});
  #isClosed = false;

  /** @param lease resolves when the project is read, or cannot be; never rejects */
  constructor(lease: (root: string) => Promise<() => void>) {
    this.#lease = lease;
  }

  /** Hold this one from now on, null for none; resolves when it is read. */
  async follow(root: string | null): Promise<void> {
    if (root !== this.#root && !this.#isClosed) {
      const before = this.#held;
      this.#root = root;
      this.#held = root === null ? Promise.resolve(() => {}) : this.#lease(root);
      void Promise.all([before, this.#held]).then(([letGo]) => letGo());
    }
    await this.#held;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#held.then((letGo) => letGo());
  }
}
