import { briefing } from '../briefing.ts';
import { parseFlags } from './flags.ts';
import { noWords } from './options.ts';
import type { ToolResult } from './result.ts';

/** `agents`: the briefing for coding agents (U-227). */
export async function runAgents(words: readonly string[]): Promise<ToolResult> {
  noWords('agents', parseFlags('agents', words));
  return { stdout: briefing(), stderr: '', exitCode: 0 };
}
