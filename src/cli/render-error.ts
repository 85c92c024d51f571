import { type LecternError, toCliErrorJson } from '../core/errors.ts';
import { scrub } from '../core/scrub.ts';
import type { Paint } from './paint.ts';
import { screenSafe, toJsonLine } from './text.ts';

/** `error:` and `next:` lines for people, without a line end. The stack only when asked. */
export function formatError(error: LecternError, paint: Paint, verbose: boolean): string {
  const lines = [`${paint.bad('error:')} ${screenSafe(scrub(error.message))}`];
  if (error.next !== undefined)
    lines.push(`${paint.quiet('next:')} ${screenSafe(scrub(error.next))}`);
  if (verbose) {
    const cause = error.cause instanceof Error ? error.cause : undefined;
    lines.push(paint.quiet(screenSafe(scrub((cause ?? error).stack ?? ''))));
  }
  return lines.join('\n');
}

/** The one JSON object of an error (L-207), without a line end. */
export function formatErrorJson(error: LecternError): string {
  const report = toCliErrorJson(error) as { error: { message: string; next?: string } };
  report.error.message = scrub(report.error.message);
  if (report.error.next !== undefined) report.error.next = scrub(report.error.next);
  return toJsonLine(report);
}
