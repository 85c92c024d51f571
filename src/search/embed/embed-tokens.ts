import { type InferenceSession, ModelError, type Runtime } from './runtime.ts';

/**
 * Run the model over one text, alone: a neighbour or padding would move its vector.
 *
 * @param ids token ids, marks included
 * @returns a unit vector of `dim` numbers; the caller owns it
 * @throws ModelError when the model makes other vectors than its profile says;
 *         whatever the runtime throws for this text
 */
export async function embedTokens(
  runtime: Runtime,
  session: InferenceSession,
  ids: readonly number[],
  dim: number,
): Promise<Float32Array> {
  const dims = [1, ids.length];
  const output = await session.run({
    input_ids: new runtime.Tensor('int64', BigInt64Array.from(ids, BigInt), dims),
    attention_mask: new runtime.Tensor('int64', new BigInt64Array(ids.length).fill(1n), dims),
  });
  return checkVector(output['sentence_embedding']?.data, dim);
}

function checkVector(output: unknown, dim: number): Float32Array {
  if (!(output instanceof Float32Array) || output.length !== dim) {
    const found = output instanceof Float32Array ? `${output.length} numbers` : 'something else';
    const detail = `the model gives ${found} where vectors of ${dim} numbers are expected`;
    throw new ModelError({ kind: 'corrupt', detail });
  }
  // Library contract 5.1: finite and of unit length. One text may miss that, so it is its own fault.
  let squares = 0;
  for (const value of output) squares += value * value;
  if (!(squares > 0.98 && squares < 1.02)) throw new Error('the model gave no unit vector');
  return output;
}
