import type { Diagnostic } from './types.ts';

/** Text form of a diagnostic (U-119): absent parts are left out, the id is not shown. */
export function diagnosticText(diagnostic: Diagnostic): string {
  const { severity, code, file, line, col, path, msg } = diagnostic;
  const place = line > 0 ? `${file === '' ? '<input>' : file}:${line}:${col}` : file;
  return [severity, code, place, path, msg].filter((part) => part !== '').join(' ');
}

/** One diagnostic per line, LF at the end of each; empty for none. */
export function diagnosticLines(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${diagnosticText(diagnostic)}\n`).join('');
}

/** JSON members of a diagnostic, empty ones left out (U-118). */
export function diagnosticMembers(diagnostic: Diagnostic): {
  readonly [member: string]: string | number | undefined;
} {
  const { severity, code, msg, file, line, col, path, id } = diagnostic;
  return {
    severity,
    code,
    msg,
    file: file || undefined,
    line: line || undefined,
    col: col || undefined,
    path: path || undefined,
    id: id || undefined,
  };
}
