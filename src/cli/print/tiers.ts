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
