import { expect, test } from 'vitest';
import { type Embedder, EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import { BUNDLED_MODEL } from '../../src/search/embed/profile.ts';
import { keepQueryVectors } from '../../src/search/embed/query-vectors.ts';
import { READY } from './small-index.ts';

function countingEmbedder(id = BUNDLED_MODEL.id): Embedder & { asked: string[]; fails: boolean } {
  const asked: string[] = [];
  return {
    asked,
    fails: false,
    profile: { ...BUNDLED_MODEL, id },
    async embedQuery(text) {
      asked.push(text);
      if (this.fails) throw new EmbedderUnavailable('down');
      return Float32Array.of(text.length);
    },
    embedTexts: async () => [],
    health: () => READY,
    wake: () => {},
  };
}

test('a query is embedded once, however often it is asked while it is remembered', async () => {
  const embedder = countingEmbedder();
  const vectors = keepQueryVectors();
  const [first, second] = await Promise.all([
    vectors.of(embedder, 'graft'),
    vectors.of(embedder, 'graft'),
  ]);
  expect(first).toBe(second);
  expect(embedder.asked).toEqual(['graft']);
});

test('two models never share a vector', async () => {
  const [one, other] = [countingEmbedder('one'), countingEmbedder('other')];
  const vectors = keepQueryVectors();
  await vectors.of(one, 'graft');
  await vectors.of(other, 'graft');
  expect(other.asked).toEqual(['graft']);
});

test('a failure is not remembered', async () => {
  const embedder = countingEmbedder();
  const vectors = keepQueryVectors();
  embedder.fails = true;
  await expect(vectors.of(embedder, 'graft')).rejects.toThrow('down');
  embedder.fails = false;
  expect(await vectors.of(embedder, 'graft')).toEqual(Float32Array.of(5));
});

test('what was used last is forgotten last', async () => {
  const embedder = countingEmbedder();
  const vectors = keepQueryVectors();
  for (let n = 0; n < 256; n += 1) await vectors.of(embedder, `q${n}`);
  await vectors.of(embedder, 'q0');
  await vectors.of(embedder, 'one more');
  embedder.asked.length = 0;
  await vectors.of(embedder, 'q0');
  expect(embedder.asked).toEqual([]);
  await vectors.of(embedder, 'q1');
  expect(embedder.asked).toEqual(['q1']);
});
