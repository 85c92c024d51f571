import type { Files, WritableFiles } from '../files/types.ts';
import { runAgents } from './agents.ts';
import { runDump } from './dump.ts';
import { runFmt } from './fmt.ts';
import { runInspect } from './inspect.ts';
import { runIr } from './ir.ts';
import { runPlayCommand } from './play.ts';
import { settle, type ToolResult } from './result.ts';
import { runShot } from './shot.ts';
import { runTest } from './test.ts';
import { runValidate } from './validate.ts';

type Tool = (
  words: readonly string[],
  files: Files | WritableFiles,
  steps?: readonly string[],
) => Promise<ToolResult>;

/** Tools whose output is a function of the files and the words alone (U-146). */
const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['validate', runValidate],
  ['dump', runDump],
  ['play', runPlayCommand],
  ['inspect', runInspect],
  ['agents', runAgents],
  ['fmt', runFmt],
  ['ir', runIr],
  ['test', runTest],
  ['shot', runShot],
]);

/** True for a command that `runTool` runs. */
export function isTool(command: string): boolean {
  return TOOLS.has(command);
}

/**
 * Run one tool. The command line and MCP both come through here, so their bytes are the same
 * (U-223). Never rejects: what goes wrong is exit 1 with the reason on stderr.
 *
 * @param steps for `play` over MCP: steps given whole (U-225)
 */
export function runTool(
  command: string,
  words: readonly string[],
  files: Files | WritableFiles,
  steps?: readonly string[],
): Promise<ToolResult> {
  const tool = TOOLS.get(command)!;
  return settle(() => tool(words, files, steps));
}
