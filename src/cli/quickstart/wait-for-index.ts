import type { getStatus } from '../../protocol/admin/get-status.ts';
import { formatDuration, toTenths } from '../measure.ts';
import type { Tour } from './tour.ts';

/** Embedding 1,000 entries takes half a minute on two cores; the tour does not wait for more. */
const LONGEST_WAIT_MS = 60_000;
const LOOK_MS = 150;

/**
 * Wait until the index is idle: with a model, entries are being embedded meanwhile.
 *
 * @returns milliseconds; null without a model, or while it still embeds
 */
export async function waitForIndex(tour: Tour): Promise<number | null> {
  const startedAt = performance.now();
  for (;;) {
    const status = await tour.ask<typeof getStatus>('status.get', {});
    const { indexing } = status;
    const took = performance.now() - startedAt;
    if (indexing === undefined || indexing.stage === 'idle') {
      tour.endSteps();
      if (status.embedder.state !== 'ok') {
        tour.print('no embedding model here: searching by words alone');
        return null;
      }
      tour.print(`embedded after ${formatDuration(took)} more`);
      return toTenths(took);
    }
    if (took > LONGEST_WAIT_MS) {
      tour.endSteps();
      tour.print(`still embedding (${indexing.done} of ${indexing.total}); searching meanwhile`);
      return null;
    }
    tour.showStep({ what: indexing.stage, done: indexing.done, total: indexing.total });
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}
