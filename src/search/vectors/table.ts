/**
 * Unit vectors in one matrix, row by row, each owned by an entry. Rows of removed
 * owners are reused, so that an index that changes all day does not grow.
 */
export interface VectorTable {
  readonly dim: number;
  /** Rows in use. */
  readonly size: number;
  /** Rows including free ones: the bound of row numbers. */
  readonly rows: number;
  /** Row-major, `rows × dim`; replaced when it grows, so never keep it. */
  readonly matrix: Float32Array;
  /** Owner of each row; -1 where the row is free. */
  readonly owners: Int32Array;
  /** Grows with each change. */
  readonly clock: number;
  /** Replace the vectors of an owner, in order. */
  set(owner: number, vectors: readonly Float32Array[]): void;
  delete(owner: number): void;
  /** Rows of an owner, in order; empty when it has none. */
  rowsOf(owner: number): readonly number[];
}

/** Told of rows as they change, so that an index over them can follow. */
export interface RowListener {
  added(row: number): void;
  removed(row: number): void;
}

const NO_ROWS: readonly number[] = [];

/** @throws RangeError when a vector has another length than `dim` */
export function createVectorTable(dim: number, listener?: RowListener): VectorTable {
  let capacity = 1_024;
  let matrix = new Float32Array(capacity * dim);
  let owners = new Int32Array(capacity).fill(-1);
  let rows = 0;
  let size = 0;
  let clock = 0;
  const free: number[] = [];
  const rowsByOwner = new Map<number, number[]>();

  const claimRow = (): number => {
    const reused = free.pop();
    if (reused !== undefined) return reused;
    if (rows === capacity) {
      // Half as much again: doubling 120 MB would waste more than the index itself.
      capacity += capacity >> 1;
      const grown = new Float32Array(capacity * dim);
      grown.set(matrix);
      matrix = grown;
      const owned = new Int32Array(capacity).fill(-1);
      owned.set(owners);
      owners = owned;
    }
    return rows++;
  };

  const remove = (owner: number): void => {
    const owned = rowsByOwner.get(owner);
    if (owned === undefined) return;
    rowsByOwner.delete(owner);
    for (const row of owned) {
      owners[row] = -1;
      free.push(row);
      size--;
      listener?.removed(row);
    }
    clock++;
  };

  return {
    dim,
    get size() {
      return size;
    },
    get rows() {
      return rows;
    },
    get matrix() {
      return matrix;
    },
    get owners() {
      return owners;
    },
    get clock() {
      return clock;
    },
    set(owner, vectors) {
      remove(owner);
      if (vectors.length === 0) return;
      const claimed: number[] = [];
      for (const vector of vectors) {
        if (vector.length !== dim)
          throw new RangeError(`a vector of ${vector.length} in a table of ${dim}`);
        const row = claimRow();
        matrix.set(vector, row * dim);
        owners[row] = owner;
        size++;
        claimed.push(row);
      }
      rowsByOwner.set(owner, claimed);
      clock++;
      if (listener !== undefined) for (const row of claimed) listener.added(row);
    },
    delete: remove,
    rowsOf: (owner) => rowsByOwner.get(owner) ?? NO_ROWS,
  };
}

/**
 * Cosine of a unit vector with one row.
 *
 * @returns in [-1, 1] up to rounding
 */
export function similarityOfRow(table: VectorTable, row: number, query: Float32Array): number {
  return dot(table.matrix, row * table.dim, query);
}

/**
 * Inner product of `query` with the slice of `matrix` at `at`. Four sums at
 * once: V8 then keeps the loads in flight, 2 to 3 times as fast as one sum.
 */
export function dot(matrix: Float32Array, at: number, query: Float32Array): number {
  const length = query.length;
  const whole = length - (length % 8);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i < whole; i += 8) {
    const j = at + i;
    a += matrix[j]! * query[i]! + matrix[j + 4]! * query[i + 4]!;
    b += matrix[j + 1]! * query[i + 1]! + matrix[j + 5]! * query[i + 5]!;
    c += matrix[j + 2]! * query[i + 2]! + matrix[j + 6]! * query[i + 6]!;
    d += matrix[j + 3]! * query[i + 3]! + matrix[j + 7]! * query[i + 7]!;
  }
  for (; i < length; i++) a += matrix[at + i]! * query[i]!;
  return a + b + c + d;
}
