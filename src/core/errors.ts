/**
 * The one table of errors. Exit codes, JSON-RPC error data, the CLI's `error:`
 * and `next:` lines and docs/errors.md are all made from it
 * (library contract 12; design 9).
 */

import { MisplacedError } from '../protocol/link/own-file.ts';

/** JSON-RPC codes used by the MCP surfaces (JSON-RPC 2.0 section 5.1). */
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

interface ErrorRow {
  /** Process exit code of a command that fails with this. */
  exit: number;
  /** A second exit code of the same category (library contract 12: 52 and 73). */
  alsoExit?: number;
  /** True when the same call may succeed later without anyone changing anything. */
  retryable?: true;
  /** The one fixed command that repairs it, without paths or names in it. */
  remediation?: string;
  /** JSON-RPC code over MCP; INTERNAL_ERROR unless the caller can mend it. */
  rpc?: typeof INVALID_PARAMS;
  /** What happened, for the reference page. */
  meaning: string;
  /** What to do next when no fixed command repairs it, for the reference page and `next:`. */
  next?: string;
}

const rows = {
  internal: { exit: 1, meaning: 'A fault of lectern itself.', next: 'lectern daemon logs' },
  usage: {
    exit: 2,
    rpc: INVALID_PARAMS,
    meaning: 'The command line or the arguments are wrong.',
    next: 'lectern help',
  },
  catalog_not_found: {
    exit: 3,
    meaning: 'No catalog of that name is enrolled in the workspace.',
    next: 'lectern catalog list',
  },
  catalog_already_exists: {
    exit: 4,
    meaning: 'The workspace already has a catalog of that name.',
    next: 'lectern catalog add SOURCE --name OTHER',
  },
  manifest_invalid: {
    exit: 5,
    meaning: 'A catalog manifest, or config.toml, cannot be used.',
    next: 'mend the file named in the message',
  },
  git_failed: {
    exit: 6,
    retryable: true,
    meaning: 'git could not clone or fetch.',
    next: 'check the address, your network and your credentials, then try again',
  },
  io: {
    exit: 7,
    meaning: 'A file or directory could not be read or written.',
    next: 'check that the path in the message exists and that you may use it',
  },
  interrupted: { exit: 8, meaning: 'The command was interrupted or declined.' },
  plugin_data_dir_write_failed: {
    exit: 9,
    meaning: 'The data directory of a plugin could not be made.',
    next: 'check the permissions and free space of the state root',
  },
  health_degraded: {
    exit: 10,
    meaning: 'A verdict, not a failure: something works less well than it should.',
    next: 'lectern status',
  },
  workspace_not_bound: {
    exit: 12,
    remediation: 'lectern workspace use',
    meaning: 'No workspace is bound to this directory.',
  },
  workspace_not_found: {
    exit: 13,
    remediation: 'lectern workspace init',
    meaning: 'There is no workspace of that name.',
  },
  workspace_already_exists: {
    exit: 14,
    meaning: 'There is a workspace of that name already.',
    next: 'lectern workspace list',
  },
  workspace_name_invalid: {
    exit: 15,
    meaning: 'The workspace name is reserved or not 1-64 of A-Z a-z 0-9 - _.',
    next: 'choose another name; lectern workspace list has those there are',
  },
  workspace_has_bound_projects: {
    exit: 16,
    meaning: 'Projects are still bound to the workspace.',
    next: 'lectern workspace remove NAME --force',
  },
  composition_error: { exit: 17, meaning: 'A harness list refers to itself or is misplaced.' },
  harness_not_supported: { exit: 18, meaning: 'lectern does not know that harness.' },
  harness_clash: {
    exit: 19,
    retryable: true,
    remediation: 'lectern harness use --force',
    meaning: 'A harness configuration holds an entry of that key that is not ours.',
  },
  plugin_not_found: {
    exit: 20,
    meaning: 'The catalog has no plugin of that name.',
    next: 'lectern plugin list',
  },
  plugin_already_in_state: {
    exit: 21,
    meaning: 'The plugin is already enabled, or already disabled.',
    next: 'lectern plugin list',
  },
  plugin_manifest_parse_error: {
    exit: 22,
    meaning: 'The manifest of a plugin cannot be used.',
    next: 'mend the file named in the message, then: lectern reindex',
  },
  skill_frontmatter_parse_error: {
    exit: 23,
    meaning: 'The frontmatter of an entry cannot be read.',
    next: 'mend the file named in the message, then: lectern reindex',
  },
  summariser_failure: {
    exit: 24,
    remediation: 'lectern doctor --fix',
    meaning: 'The summary of a workspace could not be made.',
  },
  workspace_data_dir_write_failed: {
    exit: 25,
    meaning: 'The data directory of a workspace could not be made.',
    next: 'check the permissions and free space of the state root',
  },
  prompt_argument_mismatch: {
    exit: 26,
    rpc: INVALID_PARAMS,
    meaning: 'A prompt was given arguments that it does not declare.',
  },
  entry_not_found: {
    exit: 27,
    rpc: INVALID_PARAMS,
    meaning: 'No enabled entry answers to that name.',
    next: 'lectern query WORDS',
  },
  substitution_failed: { exit: 28, meaning: 'The variables of a body could not be resolved.' },
  invalid_argument_frontmatter: {
    exit: 29,
    meaning: 'An entry declares an argument name outside [a-z_][a-z0-9_]*.',
    next: 'mend the file named in the message',
  },
  model_missing: {
    exit: 30,
    remediation: 'lectern models download',
    meaning: 'A model is needed that is not on this machine.',
  },
  model_corrupt: {
    exit: 31,
    remediation: 'lectern models download --force',
    meaning: 'A model file cannot be read as a model.',
  },
  model_checksum_mismatch: {
    exit: 32,
    remediation: 'lectern models download --force',
    meaning: 'A model file has another digest than it should.',
  },
  model_registration_parse_error: {
    exit: 33,
    meaning: 'The registration of a model is unreadable.',
  },
  inference_runtime_init_failure: {
    exit: 34,
    remediation: 'lectern models download --force',
    meaning: 'The inference runtime did not start.',
  },
  vector_extension_init_failure: { exit: 35, meaning: 'The vector index did not start.' },
  embedding_generation_failure: { exit: 36, meaning: 'A text could not be embedded.' },
  reranking_failure: { exit: 37, meaning: 'The candidates could not be reranked.' },
  query_no_results_strict: {
    exit: 40,
    meaning: 'A strict query found nothing above its floor.',
    next: 'rephrase, or lower --min-score',
  },
  embedder_name_drift: {
    exit: 41,
    remediation: 'lectern reindex --force',
    meaning: 'The index was made with another embedding model.',
  },
  embedder_version_drift: {
    exit: 42,
    remediation: 'lectern reindex --force',
    meaning: 'The index was made with another version of the embedding model.',
  },
  hook_spec_parse_error: { exit: 43, meaning: 'A hooks file cannot be used.' },
  hook_settings_write_failed: {
    exit: 44,
    meaning: 'Hook settings of a harness could not be written.',
  },
  agent_translation_failed: {
    exit: 45,
    meaning: 'An agent could not be translated for a harness.',
  },
  guardrails_write_failed: { exit: 46, meaning: 'Guardrails could not be written.' },
  reindex_scoped_embedder_change: {
    exit: 47,
    remediation: 'lectern reindex --force',
    meaning: 'A change of model needs the whole index, not a part.',
  },
  index_busy: {
    exit: 50,
    retryable: true,
    meaning: 'Another writer held the index for longer than the wait limit.',
  },
  index_integrity_check_failure: {
    exit: 51,
    remediation: 'lectern reindex --force',
    meaning: 'The index is damaged.',
  },
  schema_too_new: {
    exit: 52,
    alsoExit: 73,
    meaning: 'The state was written by a newer lectern.',
    next: 'upgrade lectern',
  },
  catalog_has_enabled_plugins: {
    exit: 53,
    meaning: 'Plugins of the catalog are still enabled.',
    next: 'lectern catalog remove NAME --force',
  },
  not_a_terminal: {
    exit: 54,
    meaning: 'The command wants an answer and there is no terminal to ask on.',
    next: 'add --yes, or run it in a terminal',
  },
  mcp_startup: {
    exit: 60,
    meaning: 'The MCP server could not start.',
    next: 'lectern daemon status',
  },
  mcp_io: { exit: 61, retryable: true, meaning: 'The connection to the MCP client broke.' },
  workspace_malformed: {
    exit: 70,
    meaning: 'A project marker cannot be read.',
    next: 'mend or delete the file named in the message',
  },
  schema_migration: { exit: 74, meaning: 'The state could not be brought to this version.' },
  doctor_fix_unsafe: { exit: 75, meaning: 'A finding is left that only a person should mend.' },
  plugin_not_converted: {
    exit: 80,
    remediation: 'lectern plugin convert',
    meaning: 'The plugin has only a foreign manifest.',
  },
  output_exists: { exit: 81, meaning: 'The output exists already.', next: 'choose another place' },
  template_invalid: { exit: 82, meaning: 'There is no such template.' },
  source_format_unrecognized: { exit: 83, meaning: 'The source has no format that lectern knows.' },
  conversion_unsupported_strict: {
    exit: 84,
    meaning: 'Something cannot be converted, and --strict was given.',
  },
  validation_found_errors: { exit: 85, meaning: 'A verdict: lint found errors.' },
  validation_strict_warnings: {
    exit: 86,
    meaning: 'A verdict: lint found warnings, and --strict was given.',
  },
  meta_skill_not_found: { exit: 87, rpc: INVALID_PARAMS, meaning: 'No such bundled skill.' },
  meta_install_failed: {
    exit: 88,
    rpc: INVALID_PARAMS,
    meaning: 'The bundled skill could not be installed.',
  },
  no_harness_detected: {
    exit: 89,
    rpc: INVALID_PARAMS,
    meaning: 'No harness is known that could take the skill.',
    next: 'start the server with --harness NAME',
  },
  telemetry_endpoint_unreachable: {
    exit: 90,
    retryable: true,
    meaning: 'Reserved; lectern sends no telemetry.',
  },
  telemetry_config_invalid: { exit: 91, meaning: 'Reserved; lectern sends no telemetry.' },
  telemetry_queue_corrupt: { exit: 92, meaning: 'Reserved; lectern sends no telemetry.' },
  provider_config_invalid: { exit: 93, meaning: 'A model provider is configured wrongly.' },
  provider_request_failed: {
    exit: 94,
    retryable: true,
    meaning: 'A model provider did not answer.',
  },
  remote_embedding_invalid: { exit: 95, meaning: 'A model provider returned an unusable vector.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCategory = keyof typeof rows;

/** The table, in exit-code order, for the reference page and `lectern exit-codes`. */
export const errorTable: Readonly<Record<ErrorCategory, ErrorRow>> = rows;

export interface ErrorDetails {
  /** JSON-RPC `data.code` where it differs from the category (library contract 6). */
  code?: string;
  /** JSON-RPC error code where it differs from the category's. */
  rpc?: number;
  /** Members added to JSON-RPC `data` after `code`, `retryable`, `remediation`. */
  extras?: Record<string, unknown>;
  /** Replaces the category's `next:` line. */
  next?: string;
  /** True for errors that the contract gives no `data` (library contract 6.2, 6.3). */
  bare?: boolean;
  cause?: unknown;
}

/** Every error a person or an agent may see. Thrown where the fact is known. */
export class LecternError extends Error {
  override readonly name = 'LecternError';
  readonly category: ErrorCategory;
  readonly details: ErrorDetails;

  constructor(category: ErrorCategory, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.category = category;
    this.details = details;
  }

  get exitCode(): number {
    return errorTable[this.category].exit;
  }

  get retryable(): boolean {
    return errorTable[this.category].retryable === true;
  }

  get remediation(): string | undefined {
    return errorTable[this.category].remediation;
  }

  get next(): string | undefined {
    const row = errorTable[this.category];
    return this.details.next ?? row.next ?? row.remediation;
  }
}

/** One JSON object for stderr (library contract 12). */
export function toCliErrorJson(error: LecternError): object {
  return {
    error: {
      category: error.category,
      exit_code: error.exitCode,
      message: error.message,
      retryable: error.retryable,
      ...(error.remediation === undefined ? {} : { remediation: error.remediation }),
      // What the people's form says last: about this failure, where the remediation is the category's.
      ...(error.next === undefined ? {} : { next: error.next }),
    },
  };
}

/** Code, message and data of the JSON-RPC error that reports `error` (library contract 6.1). */
export function toRpcError(error: LecternError): {
  code: number;
  message: string;
  data?: Record<string, unknown>;
} {
  const code = error.details.rpc ?? errorTable[error.category].rpc ?? INTERNAL_ERROR;
  if (error.details.bare === true) return { code, message: error.message };
  return {
    code,
    message: error.message,
    data: {
      code: error.details.code ?? error.category,
      retryable: error.retryable,
      ...(error.remediation === undefined ? {} : { remediation: error.remediation }),
      ...error.details.extras,
    },
  };
}

/** Anything caught, as one of the family; unknown faults become `internal`. */
export function toLecternError(caught: unknown): LecternError {
  if (caught instanceof LecternError) return caught;
  if (caught instanceof MisplacedError) {
    return new LecternError('io', caught.message, { next: caught.next, cause: caught });
  }
  const message = caught instanceof Error ? caught.message : String(caught);
  const errno = (caught as NodeJS.ErrnoException | null)?.code;
  const isFileError =
    typeof errno === 'string' &&
    /^E(ACCES|PERM|NOENT|NOSPC|ROFS|ISDIR|NOTDIR|EXIST|MFILE|IO|LOOP|NAMETOOLONG)$/.test(errno);
  return new LecternError(isFileError ? 'io' : 'internal', message, { cause: caught });
}
