import type { ModelCache } from '../../src/search/embed/model-memory.ts';
import { type Child, spawnChild } from './child.ts';
import type { FromEmbedder } from './messages.ts';
import type { ModelSetting } from './model-setting.ts';

/**
 * Into a life, when a busy start is over, the model's graph is prepared for the
 * next one: half a second of one core, in a process of its own.
 */
const PREPARE_AFTER_MS = 60_000;

export interface PreparationOptions extends ModelSetting {
  afterMs: number | undefined;
  /** While there is bulk work, the preparation waits. */
  isBusy(): boolean;
}

/** Makes the next starts quicker; at most once in a life. */
export class Preparation {
  readonly #options: PreparationOptions;
  #child: Child | undefined;
  #isBegun = false;

  constructor(options: PreparationOptions) {
    this.#options = options;
  }

  /** Prepare the model later, unless that is under way. */
  begin(): void {
    const { scope, cache, afterMs = PREPARE_AFTER_MS } = this.#options;
    if (cache?.isWritable !== true || this.#isBegun || scope.isClosed) return;
    this.#isBegun = true;
    scope.timeout(afterMs, 'model preparation', () => this.#prepareIn(cache));
  }

  killIfHanging(): void {
    this.#child?.killIfHanging();
  }

  async close(): Promise<void> {
    await this.#child?.end();
  }

  #prepareIn(cache: ModelCache): void {
    const { scope, code, dir, profile, isBusy } = this.#options;
    if (isBusy()) {
      scope.timeout(PREPARE_AFTER_MS, 'model preparation', () => this.#prepareIn(cache));
      return;
    }
    this.#child = spawnChild(
      code,
      { kind: 'prepare', dir, profile, cache },
      {
        onMessage: (child, message) => this.#hear(child, message),
        onDeath: () => {
          this.#child = undefined;
        },
      },
    );
  }

  #hear(child: Child, message: FromEmbedder): void {
    const { log } = this.#options;
    if (message.kind === 'prepared') {
      log.info({ isUsed: message.isUsed }, 'the model is prepared for the next start');
    } else if (message.kind === 'fault') {
      log.info({ detail: message.fault.detail }, 'the model is not prepared');
    }
    this.#child = undefined;
    void child.end();
  }
}
