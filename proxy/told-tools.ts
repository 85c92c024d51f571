import type { Frame } from '../src/protocol/link/frames.ts';
import { parseObject } from '../src/protocol/link/hello.ts';

const LIST_TOOLS = '{"jsonrpc":"2.0","id":"lectern/tools","method":"tools/list"}';

/** A list of tools that the client was given from the record, until a daemon's own is known to be the same. */
export class ToldTools {
  /** The JSON of the result; undefined while nothing is to be compared. */
  #told: string | undefined;
  /** Number of the request that asks for the daemon's own. */
  #asked: number | undefined;

  note(list: string | null): void {
    this.#told = list ?? undefined;
  }

  /** @param ask sends a request whose answer the client does not see, and gives its number */
  check(ask: (text: string) => number): void {
    if (this.#told !== undefined) this.#asked = ask(LIST_TOOLS);
  }

  /** Whether a reply is the daemon's own list, and another one than the client was given. */
  areOthersIn({ seq, payload }: Frame): boolean {
    if (this.#told === undefined || seq !== this.#asked) return false;
    const told = JSON.stringify(JSON.parse(this.#told));
    this.#told = undefined;
    const live = parseObject<{ result: unknown }>(payload)?.result;
    return live !== undefined && JSON.stringify(live) !== told;
  }
}
