import { quote } from '../diagnostics/quote.ts';
import type { Diagnostic, Severity } from '../diagnostics/types.ts';
import type { DocNode } from '../markup/types.ts';
import type { Path } from '../template/types.ts';

/** Collects the findings of one frame; repeats are dropped when they are sorted. */
export interface Report {
  readonly file: string;
  readonly isStrict: boolean;
  readonly cascade: Diagnostic[];
  readonly bind: Diagnostic[];
  readonly layout: Diagnostic[];
  /** Code, path, id and message of every layout finding so far (G-196). */
  readonly seen: Set<string>;
}

export function createReport(file: string, isStrict: boolean): Report {
  return { file, isStrict, cascade: [], bind: [], layout: [], seen: new Set() };
}

function diagnosticAt(file: string, node: DocNode, severity: Severity, code: string, msg: string) {
  const { line, col, path } = node;
  return { severity, code, msg, file, line, col, path, id: node.id ?? '' };
}

/** A finding about data. `B003` is an error under strict unless `staysWarning` (U-123, U-124). */
export function reportBind(
  report: Report,
  node: DocNode,
  code: 'B001' | 'B002' | 'B003' | 'B008' | 'B009' | 'B010',
  msg: string,
  staysWarning = false,
): void {
  const isError =
    code === 'B001' || code === 'B008' || (code === 'B003' && report.isStrict && !staysWarning);
  report.bind.push(diagnosticAt(report.file, node, isError ? 'error' : 'warning', code, msg));
}

/** `B003` for a path that does not resolve (U-086). */
export function reportMissing(report: Report, node: DocNode, path: Path): void {
  reportBind(report, node, 'B003', `bind path ${quote(path.source)} is missing`);
}

export function reportLayout(
  report: Report,
  node: DocNode | null,
  severity: Severity,
  code: string,
  msg: string,
): void {
  if (node === null) return;
  // Layout looks at a node more than once; once is enough (G-196).
  const key = `${code}\n${node.path}\n${node.id ?? ''}\n${msg}`;
  if (report.seen.has(key)) return;
  report.seen.add(key);
  report.layout.push(diagnosticAt(report.file, node, severity, code, msg));
}
