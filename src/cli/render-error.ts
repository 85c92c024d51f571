import { type LecternError, toCliErrorJson } from '../core/errors.ts';
import type { Paint } from './paint.ts';

/** Userinfo of a URL, token-like values, known key shapes: never printed (library contract 12). */
const SECRETS: readonly [RegExp, string][] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1'],
  [/([?&](?:sig|signature|token|x-amz-[a-z-]+|access_token|key)=)[^&\s"']+/gi, '$1***'],
  [
    /\b((?:api[_-]?key|token|secret|password|authorization)["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
    '$1***',
  ],
  [/\b(?:sk|ghp|gho|ghs|glpat|xox[abpr])[-_][A-Za-z0-9_-]{10,}/g, '***'],
];

/** The message with credentials taken out. */
export function scrub(message: string): string {
  return SECRETS.reduce((text, [pattern, to]) => text.replace(pattern, to), message);
}

/** `error:` and `next:` lines for people, without a line end. The stack only when asked. */
export function formatError(error: LecternError, paint: Paint, verbose: boolean): string {
  const lines = [`${paint.bad('error:')} ${scrub(error.message)}`];
  if (error.next !== undefined) lines.push(`${paint.quiet('next:')} ${error.next}`);
  if (verbose) {
    const cause = error.cause instanceof Error ? error.cause : undefined;
    lines.push(paint.quiet(scrub((cause ?? error).stack ?? '')));
  }
  return lines.join('\n');
}

/** The one JSON object of an error (L-207), without a line end. */
export function formatErrorJson(error: LecternError): string {
  const report = toCliErrorJson(error) as { error: { message: string } };
  report.error.message = scrub(report.error.message);
  return JSON.stringify(report);
}
