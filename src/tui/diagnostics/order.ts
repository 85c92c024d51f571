import { compareBytes } from '../json/bytes.ts';
import { diagnosticText } from './print.ts';
import type { Diagnostic } from './types.ts';

/** Sorted by file, line, column and code, stable; unnamed files first (U-120). */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareBytes(a.file, b.file) ||
      a.line - b.line ||
      a.col - b.col ||
      compareBytes(a.code, b.code),
  );
}

/** Keep the first of those that read the same; the id does not distinguish them (U-121). */
export function dedupeDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const text = diagnosticText(diagnostic);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** True when none is an error (U-122). */
export function isOk(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error');
}
