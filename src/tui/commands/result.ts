import { FrameLimit } from '../frame/frame-limit.ts';
import { OutputLimit } from '../json/print.ts';

/** What a tool prints and how it ends: the same for a shell and for MCP (U-134, U-223). */
export interface ToolResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 1 | 2;
}

/** Exit 1 with these exact bytes on stderr and nothing on stdout. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly stderr: string;

  constructor(stderr: string) {
    super(stderr);
    this.stderr = stderr;
  }
}

/** An error line with the program prefix (U-135). */
export function fail(message: string): never {
  throw new ToolFailure(`tuimark: ${message}\n`);
}

/** A report: exit 0 when the document is ok, else 2. */
export function reported(stdout: string, ok: boolean): ToolResult {
  return { stdout, stderr: '', exitCode: ok ? 0 : 2 };
}

/**
 * Run a tool body; its failures become a result. A fault of our own ends the call with exit 1, never
 * the process or the session that asked (U-134).
 */
export async function settle(body: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await body();
  } catch (error) {
    return { stdout: '', stderr: failureText(error), exitCode: 1 };
  }
}

function failureText(error: unknown): string {
  if (error instanceof ToolFailure) return error.stderr;
  const isLimit = error instanceof FrameLimit || error instanceof OutputLimit;
  if (isLimit) return `tuimark: ${error.message}\n`;
  return `tuimark: crash: ${error instanceof Error ? error.message : String(error)}\n`;
}
