import type { ResultOf } from '../../protocol/admin/method.ts';
import type { listTiers } from '../../protocol/admin/set-tiers.ts';
import { formatTable } from '../table.ts';
import { oneLine } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';

export function formatTiers(rows: ResultOf<typeof listTiers>, look: Look): string {
  return formatTable(
    [{ title: 'TIER', align: 'right' }, { title: 'KIND' }, { title: 'ENTRY' }, { title: 'PLUGIN' }],
    rows.map((row) => [
      String(row.tier),
      row.kind,
      look.paint.name(oneLine(row.name)),
      `${oneLine(row.catalog)}/${oneLine(row.plugin)}`,
    ]),
    tableWidthOf(look),
    look.paint.quiet,
  );
}

/** Rows of a change that are shown; a whole library's would push what was said off the screen. */
const CHANGED_SHOWN = 20;

/** What `tier set` and `tier clear` did. */
export function formatTierChange(
  rows: ResultOf<typeof listTiers>,
  what: string,
  look: Look,
): string {
  if (rows.length > 0 && rows.length <= CHANGED_SHOWN) return formatTiers(rows, look);
  const entries = rows.length === 1 ? 'entry' : 'entries';
  return `${rows.length.toLocaleString('en-US')} ${entries} ${what}`;
}
