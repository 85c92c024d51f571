import { formatBytes } from '../cli/measure.ts';
import type { History } from './history.ts';
import { shortCount, shortLatency, shortRate } from './numbers.ts';
import type { Pulse } from './snapshot.ts';

/** One number with the way it went. */
export interface Card {
  value: string;
  note: string;
  series: (number | null)[];
}

export interface Cards {
  calls: Card;
  latency: Card;
  memory: Card;
  loop: Card;
}

/** Seconds over which "now" is measured: one alone would jump between 0 and a burst. */
const NOW_SECONDS = 5;

const NOTHING: Card = { value: '–', note: '', series: [] };

export function shapeCards(pulse: Pulse | null, history: History): Cards {
  if (pulse === null) return { calls: NOTHING, latency: NOTHING, memory: NOTHING, loop: NOTHING };
  const { daemon, metrics } = pulse;
  return {
    calls: metrics === null ? NOTHING : shapeCalls(metrics),
    latency: metrics === null ? NOTHING : shapeLatency(metrics),
    memory: {
      value: formatBytes(daemon.rssBytes),
      note: 'resident',
      series: [...history.rssBytes],
    },
    loop: {
      value: shortLatency(daemon.loopDelayP99Ms),
      note: '',
      series: [...history.loopDelayMs],
    },
  };
}

function shapeCalls({ calls, answered }: NonNullable<Pulse['metrics']>): Card {
  return {
    value: shortRate(mean(calls.slice(-NOW_SECONDS))),
    note: `${shortCount(answered)} in all`,
    // Nothing rather than 0: a line of zeros alone is drawn at half height.
    series: calls.map((count) => (count === 0 ? null : count)),
  };
}

function shapeLatency({ total, p99Ms }: NonNullable<Pulse['metrics']>): Card {
  if (total.p50Ms === null || total.p99Ms === null) return { ...NOTHING, note: 'no calls' };
  return {
    value: shortLatency(total.p50Ms),
    note: `p99 ${shortLatency(total.p99Ms)}`,
    series: p99Ms,
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
