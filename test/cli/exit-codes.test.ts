import { expect, test } from 'vitest';
import { PLAIN } from '../../src/cli/paint.ts';
import { exitCodeRows, formatExitCodes } from '../../src/cli/print/exit-codes.ts';
import {
  type ErrorCategory,
  LecternError,
  toCliErrorJson,
  toRpcError,
} from '../../src/core/errors.ts';

/** Library contract 12: exit code, category, R for retryable, remediation. */
const CONTRACT = `
1 internal; 2 usage; 3 catalog_not_found; 4 catalog_already_exists; 5 manifest_invalid
6 git_failed R; 7 io; 8 interrupted; 9 plugin_data_dir_write_failed; 10 health_degraded
12 workspace_not_bound = lectern workspace use; 13 workspace_not_found = lectern workspace init
14 workspace_already_exists; 15 workspace_name_invalid; 16 workspace_has_bound_projects
17 composition_error; 18 harness_not_supported; 19 harness_clash R = lectern harness use --force
20 plugin_not_found; 21 plugin_already_in_state; 22 plugin_manifest_parse_error
23 skill_frontmatter_parse_error; 24 summariser_failure = lectern doctor --fix
25 workspace_data_dir_write_failed; 26 prompt_argument_mismatch; 27 entry_not_found
28 substitution_failed; 29 invalid_argument_frontmatter; 30 model_missing = lectern models download
31 model_corrupt = lectern models download --force
32 model_checksum_mismatch = lectern models download --force; 33 model_registration_parse_error
34 inference_runtime_init_failure = lectern models download --force
35 vector_extension_init_failure; 36 embedding_generation_failure; 37 reranking_failure
40 query_no_results_strict; 41 embedder_name_drift = lectern reindex --force
42 embedder_version_drift = lectern reindex --force; 43 hook_spec_parse_error
44 hook_settings_write_failed; 45 agent_translation_failed; 46 guardrails_write_failed
47 reindex_scoped_embedder_change = lectern reindex --force; 50 index_busy R
51 index_integrity_check_failure = lectern reindex --force; 52 schema_too_new
53 catalog_has_enabled_plugins; 54 not_a_terminal; 60 mcp_startup; 61 mcp_io R
70 workspace_malformed; 73 schema_too_new; 74 schema_migration; 75 doctor_fix_unsafe
80 plugin_not_converted = lectern plugin convert; 81 output_exists; 82 template_invalid
83 source_format_unrecognized; 84 conversion_unsupported_strict; 85 validation_found_errors
86 validation_strict_warnings; 87 meta_skill_not_found; 88 meta_install_failed
89 no_harness_detected; 90 telemetry_endpoint_unreachable R; 91 telemetry_config_invalid
92 telemetry_queue_corrupt; 93 provider_config_invalid; 94 provider_request_failed R
95 remote_embedding_invalid`;

const expected = CONTRACT.split(/[;\n]/)
  .map((part) => part.trim())
  .filter((part) => part !== '')
  .map((part) => {
    const [left, remediation] = part.split(' = ');
    const [code, category, retry] = left!.split(' ');
    return { exit: Number(code), category: category!, retryable: retry === 'R', remediation };
  });

test('L-206 every category has the exit code, retryable and remediation of the contract, the same over CLI and MCP', () => {
  expect(
    exitCodeRows(undefined).map(({ exit_code, category, retryable, remediation }) => ({
      exit: exit_code,
      category,
      retryable,
      remediation,
    })),
  ).toEqual(expected);
  for (const { exit, category, retryable, remediation } of expected) {
    if (exit === 73) continue; // the second code of schema_too_new: the server's
    const error = new LecternError(category as ErrorCategory, 'x');
    const cli = (toCliErrorJson(error) as { error: Record<string, unknown> }).error;
    const { data } = toRpcError(error);
    expect([cli['category'], cli['exit_code'], cli['retryable'], cli['remediation']]).toEqual([
      category,
      exit,
      retryable,
      remediation,
    ]);
    expect([data!['code'], data!['retryable'], data!['remediation']]).toEqual([
      category,
      retryable,
      remediation,
    ]);
  }
});

test('one code shows its rows only, an unknown one none', () => {
  const look = { paint: PLAIN, width: 120, nowMs: 0 };
  expect(formatExitCodes(exitCodeRows(53), look).split('\n')).toEqual([
    '53  catalog_has_enabled_plugins',
    'Plugins of the catalog are still enabled.',
    'repaired by: lectern catalog remove NAME --force',
  ]);
  expect(exitCodeRows(53)).toHaveLength(1);
  expect(exitCodeRows(11)).toEqual([]);
});

test('a pipe gets every meaning and repair whole, a terminal a table that fits', () => {
  const look = { paint: PLAIN, width: 80, nowMs: 0 };
  const rows = exitCodeRows(undefined);
  const piped = formatExitCodes(rows, { ...look, tableWidth: Infinity });
  expect(piped).not.toContain('…');
  expect(piped).toContain('lectern catalog remove NAME --force');
  for (const line of formatExitCodes(rows, look).split('\n')) {
    expect(line.length).toBeLessThanOrEqual(80);
  }
});
