// A daemon that ends at its birth, as where threads run out: its embedder hangs
// before it heeds anybody, and its pid is printed.
import { once } from 'node:events';
import { startChild } from '../../daemon/embedder/start-child.ts';

const script =
  "process.on('disconnect', () => {}); process.send('up'); setInterval(() => {}, 1000);";
const child = startChild({ script, isSource: false });
await once(child, 'message');
process.stdout.write(`${child.pid}`, () => {
  if (process.argv[2] === 'throws') throw new Error('unexpected');
  process.exit(60);
});
