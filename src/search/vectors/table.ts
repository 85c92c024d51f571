import { BLOCK_ROWS, createRowCodes } from './codes.ts';
import { createDots, ROW_ALIGN } from './dots.ts';
import { PAGE_BYTES } from './wasm.ts';

/**
 * Unit vectors in one matrix, row by row, each owned by an entry and made of a
 * text. Rows of removed owners are reused, so that an index that changes all day
 * does not grow.
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
  /** Rows written or freed so far. */
  readonly changes: number;
  /**
   * Replace the vectors of an owner, in order.
   *
   * @param texts SHA-256 of the text of each, in hex; without them {@link hasTexts} never says yes
   * @returns false where there is no memory for them: the owner has none then
   */
  set(owner: number, vectors: readonly Float32Array[], texts?: readonly string[]): boolean;
  delete(owner: number): void;
  /** Rows of an owner, in order; empty when it has none. */
  rowsOf(owner: number): readonly number[];
  /** True when the owner's vectors are those of exactly these texts (SHA-256, hex), in order. */
  hasTexts(owner: number, texts: readonly string[]): boolean;
  /** A copy of one row's vector. */
  vectorAt(row: number): Float32Array;
  /** Inner product of a vector with one row: the cosine, where both are unit vectors. */
  similarity(row: number, vector: Float32Array): number;
  /** {@link similarity} of a vector with each of these rows. */
  similarities(rows: readonly number[], vector: Float32Array): Float32Array;
  /**
   * Visit every accepted row whose inner product with a vector is above the
   * floor, in the order of rows. The floor may rise meanwhile; then rows that
   * are not above it any more may be visited still.
   */
  visitAbove(
    vector: Float32Array,
    floor: () => number,
    accepts: (row: number) => boolean,
    visit: (row: number, similarity: number) => void,
  ): void;
  /** All rows as of now, free ones too, for a snapshot. */
  takeImage(): TableImage;
  /** A copy of the bytes of some rows. */
  copyRows(first: number, count: number): Uint8Array;
  /**
   * Fill an empty table from an image: nothing is seen before its end.
   *
   * @throws NoRoom where there is no memory for it; RangeError for an image of another table
   */
  beginRestore(image: TableImage): TableRestore;
}

/** A table without its vectors. Copies: the table may change meanwhile. */
export interface TableImage {
  rows: number;
  /** Bytes of one row, padding included. */
  rowBytes: number;
  /** Owner of each row; -1 where it is free. */
  owners: Int32Array;
  /** Place of each row among its owner's. */
  places: Int32Array;
  /** 32 bytes for each row: the SHA-256 of its text. */
  texts: Uint8Array;
}

export interface TableRestore {
  /** Bytes of consecutive rows, from the first on. */
  put(bytes: Uint8Array): void;
  /**
   * Show what was put.
   *
   * @throws RangeError when that is not what the image announced; the table is as empty as before
   */
  end(): void;
}

/** There is no memory for what a table should hold. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/** Told of rows as they change, so that an index over them can follow. */
export interface RowListener {
  added(row: number): void;
  removed(row: number): void;
}

const TEXT_BYTES = 32;
const NO_ROWS: readonly number[] = [];

export function createVectorTable(dim: number, listener?: RowListener): VectorTable {
  const { memory, dots } = createDots();
  const codes = createRowCodes(dim);
  /** Bytes of a row, padding included; its padding stays zero. */
  const stride = Math.ceil((dim * 4) / ROW_ALIGN) * ROW_ALIGN;
  // The memory holds: the query, one product, the matrix.
  const queryAt = 0;
  const productAt = stride;
  const matrixAt = productAt + ROW_ALIGN;
  let placed = new Float32Array(memory.buffer, queryAt, dim);
  let product = new Float32Array(memory.buffer, productAt, 1);
  let owners = new Int32Array(BLOCK_ROWS).fill(-1);
  let texts = Buffer.alloc(BLOCK_ROWS * TEXT_BYTES);
  let rows = 0;
  let size = 0;
  let changes = 0;
  /** The fewest rows that there was no memory for. */
  let refused = Number.POSITIVE_INFINITY;
  const free: number[] = [];
  const rowsByOwner = new Map<number, number[]>();

  const makeRoom = (count: number): void => {
    const missing = matrixAt + count * stride - memory.buffer.byteLength;
    // A growing memory keeps its place: no copy, whatever its size. 64 pages hold 2,700 rows of 384.
    if (missing > 0) {
      memory.grow(Math.max(Math.ceil(missing / PAGE_BYTES), 64));
      // A memory that grew has another buffer.
      placed = new Float32Array(memory.buffer, queryAt, dim);
      product = new Float32Array(memory.buffer, productAt, 1);
    }
    codes.reserve(count);
    if (count <= owners.length) return;
    const length = Math.max(owners.length * 2, count);
    const grown = new Int32Array(length).fill(-1);
    grown.set(owners);
    texts = Buffer.concat([texts], length * TEXT_BYTES);
    owners = grown;
  };

  /**
   * Whether there is room for this many rows now. What was refused once is not
   * asked for again: each refusal costs a collection of all garbage.
   */
  const hasRoom = (count: number): boolean => {
    if (count >= refused) return false;
    try {
      makeRoom(count);
      return true;
    } catch (error) {
      // Growing and allocating say so where they get nothing.
      if (!(error instanceof RangeError)) throw error;
      refused = count;
      return false;
    }
  };

  const remove = (owner: number): void => {
    const owned = rowsByOwner.get(owner);
    if (owned === undefined) return;
    rowsByOwner.delete(owner);
    for (const row of owned) {
      owners[row] = -1;
      free.push(row);
      size--;
      changes++;
      listener?.removed(row);
    }
  };

  const placeQuery = (vector: Float32Array): void => {
    checkLength(vector, dim);
    placed.set(vector);
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
    get changes() {
      return changes;
    },
    set(owner, vectors, textsOf) {
      for (const vector of vectors) checkLength(vector, dim);
      remove(owner);
      if (vectors.length === 0) return true;
      if (!hasRoom(rows + Math.max(0, vectors.length - free.length))) return false;
      const claimed = vectors.map((vector, place) => {
        const row = free.pop() ?? rows++;
        new Float32Array(memory.buffer, matrixAt + row * stride, dim).set(vector);
        codes.set(row, vector);
        owners[row] = owner;
        writeText(texts, row, textsOf?.[place]);
        size++;
        changes++;
        return row;
      });
      rowsByOwner.set(owner, claimed);
      if (listener !== undefined) for (const row of claimed) listener.added(row);
      return true;
    },
    delete: remove,
    rowsOf: (owner) => rowsByOwner.get(owner) ?? NO_ROWS,
    hasTexts(owner, expected) {
      const owned = rowsByOwner.get(owner) ?? NO_ROWS;
      return (
        owned.length === expected.length &&
        owned.every((row, place) => isText(texts, row, expected[place]!))
      );
    },
    vectorAt: (row) => new Float32Array(memory.buffer, matrixAt + row * stride, dim).slice(),
    similarity(row, vector) {
      placeQuery(vector);
      dots(matrixAt + row * stride, 1, queryAt, productAt, stride);
      return product[0]!;
    },
    similarities(asked, vector) {
      placeQuery(vector);
      const found = new Float32Array(asked.length);
      for (let i = 0; i < asked.length; i++) {
        dots(matrixAt + asked[i]! * stride, 1, queryAt, productAt, stride);
        found[i] = product[0]!;
      }
      return found;
    },
    visitAbove(vector, floor, accepts, visit) {
      placeQuery(vector);
      codes.ask(vector);
      for (let first = 0; first < rows; first += BLOCK_ROWS) {
        const count = Math.min(BLOCK_ROWS, rows - first);
        for (const row of codes.above(floor(), first, count)) {
          if (!accepts(row)) continue;
          dots(matrixAt + row * stride, 1, queryAt, productAt, stride);
          if (product[0]! > floor()) visit(row, product[0]!);
        }
      }
    },
    takeImage() {
      const places = new Int32Array(rows);
      for (const owned of rowsByOwner.values()) {
        for (let place = 0; place < owned.length; place++) places[owned[place]!] = place;
      }
      return {
        rows,
        rowBytes: stride,
        owners: owners.slice(0, rows),
        places,
        texts: new Uint8Array(texts.subarray(0, rows * TEXT_BYTES)),
      };
    },
    copyRows: (first, count) =>
      new Uint8Array(memory.buffer, matrixAt + first * stride, count * stride).slice(),
    beginRestore(image) {
      checkImage(image, stride);
      if (rows > 0) throw new RangeError('only an empty table can be restored');
      if (!hasRoom(image.rows)) throw new NoRoom(`there is no memory for ${image.rows} vectors`);
      let filled = 0;
      return {
        put(bytes) {
          const count = bytes.byteLength / stride;
          if (!Number.isInteger(count) || filled + count > image.rows)
            throw new RangeError('rows beside those announced');
          new Uint8Array(memory.buffer, matrixAt + filled * stride, bytes.byteLength).set(bytes);
          for (let row = filled; row < filled + count; row++)
            codes.set(row, new Float32Array(memory.buffer, matrixAt + row * stride, dim));
          filled += count;
        },
        end() {
          if (filled !== image.rows || rows > 0) throw new RangeError('rows are missing');
          owners.set(image.owners);
          texts.set(image.texts);
          rows = image.rows;
          for (let row = rows - 1; row >= 0; row--) {
            const owner = owners[row]!;
            if (owner < 0) {
              free.push(row);
              continue;
            }
            size++;
            const owned = rowsByOwner.get(owner);
            if (owned === undefined) rowsByOwner.set(owner, [row]);
            else owned.push(row);
          }
          const { places } = image;
          for (const owned of rowsByOwner.values())
            if (owned.length > 1) owned.sort((a, b) => places[a]! - places[b]!);
        },
      };
    },
  };
}

function checkLength(vector: Float32Array, dim: number): void {
  if (vector.length !== dim)
    throw new RangeError(`a vector of ${vector.length} in a table of ${dim}`);
}

function checkImage({ rows, rowBytes, owners, places, texts }: TableImage, stride: number): void {
  const isWhole =
    Number.isSafeInteger(rows) &&
    rows >= 0 &&
    owners.length === rows &&
    places.length === rows &&
    texts.length === rows * TEXT_BYTES;
  if (!isWhole || rowBytes !== stride) throw new RangeError('an image of another table');
}

/** A digest that is none is stored as zeros, which no text has. */
function writeText(texts: Buffer, row: number, text: string | undefined): void {
  const at = row * TEXT_BYTES;
  if (text?.length === TEXT_BYTES * 2 && texts.write(text, at, 'hex') === TEXT_BYTES) return;
  texts.fill(0, at, at + TEXT_BYTES);
}

function isText(texts: Buffer, row: number, text: string): boolean {
  const at = row * TEXT_BYTES;
  return texts.toString('hex', at, at + TEXT_BYTES) === text;
}
