import type { Scope } from '../src/core/scope.ts';

/** Two wake-ups every other second cost an idle laptop nothing that can be measured. */
const BEAT_MS = 2_000;

/**
 * Beats missed in a row after which the main thread hangs. Its longest single
 * work takes a second or two on a slow machine; hosts give up on a call after
 * 60 s, and within that a deadly query must end two daemons and be refused by
 * the third: twice 20 s and two births.
 */
const MISSED_BEATS = 10;

/** Beats of the main thread, counted where other threads of the process can read them. */
export type Heartbeat = Int32Array<SharedArrayBuffer>;

/** Let the calling thread beat until the scope closes. */
export function startHeartbeat(scope: Scope, everyMs: number = BEAT_MS): Heartbeat {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  scope.interval(everyMs, 'heartbeat', () => Atomics.add(beats, 0, 1));
  return beats;
}

/**
 * Watch the heartbeat of another thread of this process, and call `onHang`
 * once when it stops. Missed beats are counted by the watcher's own turns, not
 * by a clock: a process that is stopped or a machine that sleeps gives neither
 * thread a turn, and one turn at most afterwards. A watcher that is busy
 * counts slower, never too much. Its timer keeps no process alive.
 */
export function watchHeartbeat(
  beats: Heartbeat,
  onHang: (hungMs: number) => void,
  everyMs: number = BEAT_MS,
): void {
  let known = Atomics.load(beats, 0);
  let missed = 0;
  const timer = setInterval(() => {
    const now = Atomics.load(beats, 0);
    missed = now === known ? missed + 1 : 0;
    known = now;
    if (missed < MISSED_BEATS) return;
    clearInterval(timer);
    onHang(missed * everyMs);
  }, everyMs);
  timer.unref();
}
