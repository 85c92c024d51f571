declare const __LECTERN_VERSION__: string | undefined;

/** The package version, stamped by the bundler; `0.0.0-dev` when run from source. */
export const VERSION: string =
  typeof __LECTERN_VERSION__ === 'string' ? __LECTERN_VERSION__ : '0.0.0-dev';
