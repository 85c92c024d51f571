import { statSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { MisplacedError, readOwnFile } from '../protocol/link/own-file.ts';
import { LecternError } from './errors.ts';
import { stampOf } from './file-stamp.ts';
import { readListenAddress } from './listen-address.ts';

/**
 * `config.toml` (library contract 13): strict, so that a misspelt key is told
 * and not ignored. Every key is optional; the defaults are in `DEFAULTS`.
 */

/** Library contract 2.1: lectern's own TOML is read up to 1 MiB. */
const MAX_CONFIG_BYTES = 1024 * 1024;

const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).partial().optional();

const provider = z
  .strictObject({
    kind: z.enum(['openai', 'anthropic', 'gemini', 'voyage']),
    base_url: z.string(),
    api_key: z.string(),
  })
  .partial();

export const configSchema = z.strictObject({
  query: section({
    top_k: z.number().int(),
    rerank: z.boolean(),
    strict_min_score: z.number(),
  }),
  search: section({
    /** Kinds that a search without a `kind` filter returns. */
    kinds: z.array(z.enum(['skill', 'command', 'agent'])).min(1),
    /** Whether the project's own skill folders are searched with the catalogs. */
    project_folders: z.boolean(),
  }),
  mcp: section({ description_max_chars: z.number().int() }),
  workspace: section({ default: z.string() }),
  models: section({ profile: z.enum(['small', 'medium', 'large']) }),
  embedding: section({
    provider: z.string(),
    model: z.string(),
    dimensions: z.number().int().positive(),
  }),
  reranker: section({ provider: z.string(), model: z.string() }),
  summariser: section({
    enabled: z.boolean(),
    long_max_chars: z.number().int().min(1500).max(8000),
    provider: z.string(),
    model: z.string(),
  }),
  providers: z.record(z.string(), provider).optional(),
  harness: section({
    enabled: z.array(z.string()),
    default_scope: z.enum(['project', 'global']),
    expose_agents_as_personas: z.boolean(),
    strip_plugin_agent_privileges: z.boolean(),
  }),
  hooks: section({
    translate_plugin_hooks: z.boolean(),
    prompt_provider: z.string(),
    prompt_model: z.string(),
  }),
  doctor: section({ verify_by_default: z.boolean() }),
  daemon: section({
    /** Minutes without a session before an on-demand daemon ends. */
    idle_minutes: z.number().positive(),
  }),
  http: section({
    /** `HOST:PORT` of a loopback address; absent: the daemon speaks no HTTP. */
    listen: z.string().superRefine((text, { addIssue }) => {
      const read = readListenAddress(text);
      if ('fault' in read) addIssue({ code: 'custom', message: read.fault });
    }),
    /** Offer the tools that write over HTTP too. */
    allow_writes: z.boolean(),
  }),
  logging: section({
    level: z.enum(['off', 'error', 'warn', 'info', 'debug', 'trace']),
  }),
  output: section({
    color: z.enum(['auto', 'always', 'never']),
    progress: z.boolean(),
  }),
  telemetry: section({ enabled: z.boolean(), endpoint: z.string() }),
  /** Left behind by an old version of the format: tolerated, ignored. */
  catalogs: z.unknown().optional(),
});

export type Config = z.output<typeof configSchema>;

/** What holds where config.toml says nothing. Keys without a value have no default. */
export const CONFIG_DEFAULTS = {
  'query.top_k': 10,
  'query.rerank': true,
  'query.strict_min_score': null,
  'search.kinds': ['skill', 'command'],
  'search.project_folders': true,
  'mcp.description_max_chars': 150,
  'workspace.default': null,
  'models.profile': 'medium',
  'embedding.provider': null,
  'embedding.model': null,
  'embedding.dimensions': null,
  'reranker.provider': null,
  'reranker.model': null,
  'summariser.enabled': true,
  'summariser.long_max_chars': 1500,
  'summariser.provider': null,
  'summariser.model': null,
  'harness.enabled': null,
  'harness.default_scope': 'project',
  'harness.expose_agents_as_personas': false,
  'harness.strip_plugin_agent_privileges': false,
  'hooks.translate_plugin_hooks': true,
  'hooks.prompt_provider': null,
  'hooks.prompt_model': null,
  'doctor.verify_by_default': false,
  'daemon.idle_minutes': 30,
  'http.listen': null,
  'http.allow_writes': false,
  'logging.level': 'info',
  'output.color': 'auto',
  'output.progress': true,
  'telemetry.enabled': false,
  'telemetry.endpoint': null,
} as const satisfies Record<string, unknown>;

/** Sections and keys that the format knows and this version does not act on. */
const WITHOUT_EFFECT =
  /^(doctor|embedding|hooks|models|output|providers|reranker|summariser|telemetry)\.|^harness\.(?!expose_agents_as_personas$)/;

/** Whether a key, such as `query.top_k`, changes anything in this version. */
export function hasEffect(key: string): boolean {
  return !WITHOUT_EFFECT.test(key);
}

/** A key's value, and where it comes from. */
export interface ConfigValue {
  value: unknown;
  source: 'config' | 'default';
}

/**
 * Parse the text of a config.toml.
 *
 * @throws LecternError manifest_invalid (5), naming the file and the key
 */
export function parseConfig(text: string, path: string): Config {
  let document: unknown;
  try {
    document = parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? firstLine(cause.message) : String(cause);
    const line = cause instanceof TomlError ? `line ${cause.line}: ` : '';
    throw new LecternError('manifest_invalid', `${path}: ${line}${message}`, { cause });
  }
  const checked = configSchema.safeParse(document);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0]!;
  const key =
    issue.code === 'unrecognized_keys'
      ? [...issue.path, issue.keys[0]].join('.')
      : issue.path.join('.');
  const what = issue.code === 'unrecognized_keys' ? 'unknown key' : issue.message;
  throw new LecternError('manifest_invalid', `${path}: ${key}: ${what}`);
}

/**
 * Read config.toml; an absent file is an empty configuration.
 *
 * @throws LecternError manifest_invalid (5) when it is malformed, no file or over 1 MiB; io (7)
 */
export async function readConfig(path: string): Promise<Config> {
  let text: string;
  try {
    text = readOwnFile(path, MAX_CONFIG_BYTES);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    if (error instanceof MisplacedError) {
      throw new LecternError('manifest_invalid', message, { next: error.next, cause: error });
    }
    if (code === 'EFBIG') {
      throw new LecternError('manifest_invalid', `${path}: over ${MAX_CONFIG_BYTES} bytes`);
    }
    throw new LecternError('io', `cannot read ${path}: ${code ?? message}`, { cause: error });
  }
  return parseConfig(text, path);
}

export interface LenientConfig {
  config: Config;
  /** Set when the file is malformed; `config` is then empty. */
  malformed: LecternError | null;
}

/** As `readConfig`, but a malformed file counts as defaults (library contract 6.2, 13). */
export async function readConfigLeniently(path: string): Promise<LenientConfig> {
  try {
    return { config: await readConfig(path), malformed: null };
  } catch (error) {
    if (error instanceof LecternError) return { config: {}, malformed: error };
    throw error;
  }
}

/**
 * Two writes within this time may leave equal times in a file's stat: what was
 * read so soon after a write is not relied on. Twice the coarsest clock of a
 * file system in use (FAT counts in 2 s).
 */
const SETTLED_MS = 4_000;

/**
 * As `readConfigLeniently`, reading the file again only when its stat says that
 * it is another: every search asks.
 *
 * @param now milliseconds of the clock that stamps files
 */
export function followConfig(path: string, now = Date.now): () => Promise<LenientConfig> {
  let kept: { identity: string; read: LenientConfig } | undefined;
  return async () => {
    const identity = identifyFile(path, now());
    if (identity !== undefined && kept?.identity === identity) return kept.read;
    const read = await readConfigLeniently(path);
    // A failure may be the moment's, such as too many open files.
    kept = identity === undefined || read.malformed !== null ? undefined : { identity, read };
    return read;
  };
}

/** Equal as long as nobody wrote the file; undefined when that cannot be told (yet). */
function identifyFile(path: string, now: number): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return 'absent';
    if (now - Number(found.ctimeMs) < SETTLED_MS) return undefined;
    return stampOf(path, found);
  } catch {
    return undefined;
  }
}

/** Shown instead of a secret. */
const HIDDEN = '(hidden)';

/**
 * Every key, `section.name`, with what holds for it (library contract 13); null
 * where nothing does. Keys of the `providers` that are given come last, without
 * their secrets.
 */
export function explainConfig(config: Config): Record<string, ConfigValue> {
  const explained: Record<string, ConfigValue> = {};
  for (const [key, fallback] of Object.entries(CONFIG_DEFAULTS)) {
    const [part, name] = key.split('.') as [keyof Config, string];
    const given = (config[part] as Record<string, unknown> | undefined)?.[name];
    explained[key] =
      given === undefined
        ? { value: fallback, source: 'default' }
        : { value: given, source: 'config' };
  }
  for (const [provider, settings] of Object.entries(config.providers ?? {})) {
    for (const [name, given] of Object.entries(settings)) {
      const value = name === 'api_key' ? HIDDEN : given;
      explained[`providers.${provider}.${name}`] = { value, source: 'config' };
    }
  }
  return explained;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
