import { SURFACES, type Surface } from '../src/protocol/link/hello.ts';

/** What `lectern mcp` was asked for. */
export interface ProxyFlags {
  surface: Surface;
  workspace: string | null;
  harness: string | null;
  /** Flags that only the surface understands, names without dashes. */
  flags: Record<string, string>;
}

const PASSED_ON = ['registry', 'token', 'token-file', 'scope', 'agent', 'log-level'];
const KNOWN = ['surface', 'workspace', 'harness', ...PASSED_ON];

/** Short forms that the rest of the command line has too. */
const SHORT: Record<string, string> = { '-w': 'workspace' };

/** The command line cannot be used; the message is for a person (exit 2). */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/**
 * Read the arguments after `mcp`: `--name value` and `--name=value`.
 *
 * @throws FlagError
 */
export function parseFlags(args: readonly string[]): ProxyFlags {
  const given: Record<string, string> = {};
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const dashed = equals === -1 ? word : word.slice(0, equals);
    const name = SHORT[dashed] ?? (dashed.startsWith('--') ? dashed.slice(2) : '');
    if (!KNOWN.includes(name)) throw new FlagError(`unknown argument "${word}" for lectern mcp`);
    const value = equals === -1 ? args[(at += 1)] : word.slice(equals + 1);
    if (value === undefined) throw new FlagError(`--${name} needs a value`);
    given[name] = value;
  }
  const surface = given['surface'] ?? 'library';
  if (!(SURFACES as readonly string[]).includes(surface)) {
    throw new FlagError(`--surface must be one of ${SURFACES.join(', ')}, not "${surface}"`);
  }
  return {
    surface: surface as Surface,
    workspace: given['workspace'] ?? null,
    harness: given['harness'] ?? null,
    flags: Object.fromEntries(Object.entries(given).filter(([name]) => PASSED_ON.includes(name))),
  };
}
