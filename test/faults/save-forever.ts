// Saves vectors again and again, each time others; killed by the test beside it.
// Says on stdout how often it has saved.
import { createVectorStore } from '../../src/search/vectors/store.ts';

const [dir] = process.argv.slice(2);
const dim = 384;
const store = createVectorStore('kill-test', dim, 500);
const unstopped = new AbortController().signal;

/** A vector that says which entry it belongs to: a torn snapshot would mix them up. */
const vectorOf = (owner: number): Float32Array =>
  Float32Array.from({ length: dim }, (_, i) => Math.sin(owner + i));

for (let round = 0; ; round += 1) {
  for (let owner = 1; owner <= 2_000; owner += 1)
    if (round === 0 || owner % 100 === round % 100) store.entries.set(owner, [vectorOf(owner)]);
  store.entrySearch.finish();
  await store.save(dir!, unstopped);
  process.stdout.write('saved\n');
}
