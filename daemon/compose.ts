import type { ComposeOptions, Composition } from './composition.ts';

/** Wire stores, indexer, library and surfaces together. */
export async function composeDaemon(_options: ComposeOptions): Promise<Composition> {
  return { surfaces: {}, admin: {} };
}
