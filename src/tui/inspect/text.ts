import { quote } from '../diagnostics/quote.ts';
import { nodeLine } from '../dump/text.ts';
import type { InspectReport, InspectRule } from './inspect.ts';

/** The text form of a report (G-195). */
export function inspectText(report: InspectReport): string {
  const lines = [nodeLine(report.node), `path: ${report.path}`];
  if (report.cell) lines.push(cellLine(report.cell));
  const pseudo = report.pseudo.map((name) => `:${name}`).join(' ');
  lines.push(`pseudo: ${pseudo || '-'}`);
  for (const { name, from, guard, active, used } of report.classes) {
    const origin = guard === undefined ? from : `${from}=${quote(guard)}`;
    const state = `${active ? 'active' : 'inactive'}${used ? '' : ' (no rule names it)'}`;
    lines.push(`class .${name} from ${origin} ${state}`);
  }
  for (const { prop, value, origin, rule, overridden } of report.style) {
    if (origin === 'initial') continue;
    const where = rule ? `  ${ruleText(rule)}` : '';
    lines.push(`${prop}: ${value ?? '(none)'}  ${origin}${where}`);
    for (const loser of overridden) {
      lines.push(`    overrides ${loser.value}  ${loser.origin}  ${ruleText(loser.rule)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function cellLine(cell: NonNullable<InspectReport['cell']>): string {
  const id = cell.id === undefined ? '' : ` id ${cell.id}`;
  const wide = cell.w === undefined ? '' : ` w ${cell.w}`;
  return `cell: ${cell.x},${cell.y} ${quote(String(cell.ch))}${id}${wide}`;
}

function ruleText({ file, line, col, selector, specificity, media }: InspectRule): string {
  const condition = media === undefined ? '' : ` @media ${media}`;
  return `${file}:${line}:${col} ${selector} (specificity ${specificity})${condition}`;
}
