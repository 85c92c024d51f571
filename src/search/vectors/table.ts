import { createDots, ROW_ALIGN } from './dots.ts';

/**
 * Unit vectors in one matrix, row by row, each owned by an entry. Rows of removed
 * owners are reused, so that an index that changes all day does not grow.
 */
export interface VectorTable {
  readonly dim: number;
  /** Rows in use. */
  readonly size: number;
  /** Owners that have rows. */
  readonly ownerCount: number;
  /** Rows including free ones: the bound of row numbers. */
  readonly rows: number;
  /** Owner of each row; -1 where the row is free. Replaced when it grows. */
  readonly owners: Int32Array;
  /** Replace the vectors of an owner, in order. */
  set(owner: number, vectors: readonly Float32Array[]): void;
  delete(owner: number): void;
  /** Rows of an owner, in order; empty when it has none. */
  rowsOf(owner: number): readonly number[];
  /** A copy of one row's vector. */
  vectorAt(row: number): Float32Array;
  /** Inner product of a vector with one row: the cosine, where both are unit vectors. */
  similarity(row: number, vector: Float32Array): number;
  /**
   * Inner products with all rows, block by block, free rows among them.
   *
   * @param visit gets the first row of a block and its products, which it must not keep
   */
  scan(vector: Float32Array, visit: (firstRow: number, similarities: Float32Array) => void): void;
}

/** Told of rows as they change, so that an index over them can follow. */
export interface RowListener {
  added(row: number): void;
  removed(row: number): void;
}

/** Rows of one block of a scan: its products stay in the processor's first cache. */
const BLOCK_ROWS = 1_024;
const PAGE_BYTES = 65_536;
const NO_ROWS: readonly number[] = [];

export function createVectorTable(dim: number, listener?: RowListener): VectorTable {
  const { memory, dots } = createDots();
  /** Bytes of a row, padding included; its padding stays zero. */
  const stride = Math.ceil((dim * 4) / ROW_ALIGN) * ROW_ALIGN;
  // The memory holds: the query, a block of products, the matrix.
  const queryAt = 0;
  const productsAt = stride;
  const matrixAt = productsAt + BLOCK_ROWS * 4;
  let owners = new Int32Array(BLOCK_ROWS).fill(-1);
  let rows = 0;
  let size = 0;
  const free: number[] = [];
  const rowsByOwner = new Map<number, number[]>();

  const claimRow = (): number => {
    const reused = free.pop();
    if (reused !== undefined) return reused;
    const missing = matrixAt + (rows + 1) * stride - memory.buffer.byteLength;
    // A growing memory keeps its place: no copy, whatever its size. 64 pages hold 2,700 rows of 384.
    if (missing > 0) memory.grow(Math.max(Math.ceil(missing / PAGE_BYTES), 64));
    if (rows === owners.length) {
      const grown = new Int32Array(rows * 2).fill(-1);
      grown.set(owners);
      owners = grown;
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
  };

  /** Views are made anew: a memory that grew has another buffer. */
  const placeQuery = (vector: Float32Array): void => {
    if (vector.length !== dim)
      throw new RangeError(`a vector of ${vector.length} in a table of ${dim}`);
    new Float32Array(memory.buffer, queryAt, dim).set(vector);
  };

  return {
    dim,
    get size() {
      return size;
    },
    get ownerCount() {
      return rowsByOwner.size;
    },
    get rows() {
      return rows;
    },
    get owners() {
      return owners;
    },
    set(owner, vectors) {
      for (const vector of vectors)
        if (vector.length !== dim)
          throw new RangeError(`a vector of ${vector.length} in a table of ${dim}`);
      remove(owner);
      if (vectors.length === 0) return;
      const claimed = vectors.map((vector) => {
        const row = claimRow();
        new Float32Array(memory.buffer, matrixAt + row * stride, dim).set(vector);
        owners[row] = owner;
        size++;
        return row;
      });
      rowsByOwner.set(owner, claimed);
      if (listener !== undefined) for (const row of claimed) listener.added(row);
    },
    delete: remove,
    rowsOf: (owner) => rowsByOwner.get(owner) ?? NO_ROWS,
    vectorAt: (row) => new Float32Array(memory.buffer, matrixAt + row * stride, dim).slice(),
    similarity(row, vector) {
      placeQuery(vector);
      dots(matrixAt + row * stride, 1, queryAt, productsAt, stride);
      return new Float32Array(memory.buffer, productsAt, 1)[0]!;
    },
    scan(vector, visit) {
      placeQuery(vector);
      for (let first = 0; first < rows; first += BLOCK_ROWS) {
        const count = Math.min(BLOCK_ROWS, rows - first);
        dots(matrixAt + first * stride, count, queryAt, productsAt, stride);
        visit(first, new Float32Array(memory.buffer, productsAt, count));
      }
    },
  };
}
