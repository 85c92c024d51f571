import { parentPort } from 'node:worker_threads';
import { endHung } from '../end-hung.ts';
import { type Heartbeat, watchHeartbeat } from '../watchdog.ts';

// The entry of the thread. Listening is what keeps it: the watcher's timer does not.
parentPort?.on('message', (beats: Heartbeat) => {
  watchHeartbeat(beats, (hungMs) => endHung(null, hungMs));
});
