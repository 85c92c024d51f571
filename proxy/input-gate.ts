/** Holds the client's lines back in its pipe while there is no room for them. */
export class InputGate {
  readonly #input: { pause(): void; resume(): void };
  #isShut = false;

  constructor(input: { pause(): void; resume(): void }) {
    this.#input = input;
  }

  shut(): void {
    if (this.#isShut) return;
    this.#isShut = true;
    this.#input.pause();
  }

  open(): void {
    if (!this.#isShut) return;
    this.#isShut = false;
    this.#input.resume();
  }
}
