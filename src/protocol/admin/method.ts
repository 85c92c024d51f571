import type { z } from 'zod';

/** One admin method: its json-rpc-2.0 name and the shapes of both ends. */
export interface AdminMethod<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly method: string;
  readonly params: P;
  readonly result: R;
}

export type ParamsOf<M extends AdminMethod> = z.input<M['params']>;
export type ResultOf<M extends AdminMethod> = z.output<M['result']>;

/** Sent by the daemon as the json-rpc notification `progress` while a long method runs. */
export interface AdminProgress {
  /** The id of the request it belongs to. */
  id: number;
  /** What is being done, for people: `reading catalogs`, `embedding descriptions`. */
  what: string;
  done: number;
  /** Null while unknown. */
  total: number | null;
}
