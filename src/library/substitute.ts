/**
 * Variable substitution in a body that leaves the library (library contract 7).
 * Pure: the values come in, the text goes out; nothing is read or created here.
 */

/** What the tokens of a body stand for. */
export interface Substitutions {
  /** `${LECTERN_<NAME>}` and `${TOME_<NAME>}`: null keeps the token as it stands. */
  builtins: Readonly<Record<BuiltinName, string | null>>;
  /** `${CLAUDE_<NAME>}` in native plugins; names that are absent keep their token. */
  claude: Readonly<Record<string, string | null>>;
  /** The session's environment; only names that begin with `TOME_ENV_` or `LECTERN_ENV_` are read. */
  env: Readonly<Record<string, string | undefined>>;
  /** Null when the caller gave none: argument tokens then stay as they stand. */
  arguments: BoundArguments | null;
}

export const BUILTIN_NAMES = [
  'SKILL_DIR',
  'SKILL_PATH',
  'SKILL_NAME',
  'PLUGIN_DIR',
  'PLUGIN_NAME',
  'PLUGIN_VERSION',
  'PLUGIN_DATA',
  'CATALOG_NAME',
  'PROJECT_DIR',
  'WORKSPACE_NAME',
  'WORKSPACE_DATA',
  'DATE',
  'TIMESTAMP',
] as const;
export type BuiltinName = (typeof BUILTIN_NAMES)[number];

/** Arguments as the tokens see them (see `bindArguments`). */
export interface BoundArguments {
  positional: readonly string[];
  named: ReadonlyMap<string, string>;
  /** The value of `$ARGUMENTS`. */
  whole: string;
  /** What is appended when no token took an argument: the caller's own line, else `whole`. */
  appendix: string;
  /** The number that the first positional has: 0 by contract, 1 in native Claude commands. */
  firstNumber: 0 | 1;
  /** True where `$name` stands for declared names only, and other words stay (native commands). */
  keepsUnknownNames: boolean;
}

/**
 * Every token, in the order of library contract 7.1, found in one pass:
 * environment, built-in, Claude's, `$ARGUMENTS[n]`, `$ARGUMENTS`, `$n`, `$name`.
 * A default runs to the first `}` and stays on its line.
 */
const TOKEN =
  /\$\{(TOME|LECTERN)_ENV_([A-Z0-9_]+)(?::-([^}\r\n]*))?\}|\$\{(?:TOME|LECTERN)_([A-Z0-9_]+)(?::-[^}\r\n]*)?\}|\$\{CLAUDE_([A-Z0-9_]+)\}|\$ARGUMENTS\[(\d+)\]|(\$ARGUMENTS)|\$(\d+)|\$([a-z_][a-z0-9_]*)/g;

/**
 * Replace the tokens of a body in one left-to-right pass. Replacement text is
 * never scanned again. Arguments that no token took are appended as
 * `ARGUMENTS: …` after a blank line (library contract 7.5).
 */
export function substitute(body: string, values: Substitutions): string {
  let tookArguments = false;
  const bound = values.arguments;
  const rendered = body.replace(
    TOKEN,
    (
      token: string,
      envBrand: string | undefined,
      envName: string | undefined,
      envDefault: string | undefined,
      builtin: string | undefined,
      claude: string | undefined,
      indexed: string | undefined,
      whole: string | undefined,
      numbered: string | undefined,
      name: string | undefined,
    ): string => {
      if (envName !== undefined) {
        return readEnv(values.env, envBrand!, envName) ?? envDefault ?? '';
      }
      if (builtin !== undefined) {
        return Object.hasOwn(values.builtins, builtin)
          ? (values.builtins[builtin as BuiltinName] ?? token)
          : token;
      }
      if (claude !== undefined) {
        return Object.hasOwn(values.claude, claude) ? (values.claude[claude] ?? token) : token;
      }
      if (bound === null) return token;
      if (name !== undefined) {
        const value = bound.named.get(name);
        if (value === undefined && bound.keepsUnknownNames) return token;
        tookArguments = true;
        return value ?? '';
      }
      tookArguments = true;
      if (whole !== undefined) return bound.whole;
      if (indexed !== undefined) return bound.positional[Number(indexed)] ?? '';
      return bound.positional[Number(numbered) - bound.firstNumber] ?? '';
    },
  );
  if (bound === null || tookArguments) return rendered;
  return `${rendered}${rendered.endsWith('\n') ? '' : '\n'}\nARGUMENTS: ${bound.appendix}`;
}

/** Whether rendering `body` needs the directory of that built-in (library contract 7.2: made on demand). */
export function mentionsBuiltin(body: string, name: BuiltinName): boolean {
  return (
    body.includes(`\${TOME_${name}}`) ||
    body.includes(`\${LECTERN_${name}}`) ||
    body.includes(`\${TOME_${name}:-`) ||
    body.includes(`\${LECTERN_${name}:-`)
  );
}

/** The variable's own name is read, prefix included; ours falls back to Tome's. */
function readEnv(
  env: Readonly<Record<string, string | undefined>>,
  brand: string,
  name: string,
): string | undefined {
  const read = (variable: string) => (Object.hasOwn(env, variable) ? env[variable] : undefined);
  if (brand === 'TOME') return read(`TOME_ENV_${name}`);
  return read(`LECTERN_ENV_${name}`) ?? read(`TOME_ENV_${name}`);
}
