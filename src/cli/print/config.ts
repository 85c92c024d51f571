import { type ConfigValue, hasEffect } from '../../core/config.ts';
import { formatTable } from '../table.ts';
import { oneLine } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';

/** One row a key; of those without effect only what the file has. */
export function formatConfig(values: Record<string, ConfigValue>, look: Look): string {
  const shown = Object.entries(values).filter(
    ([key, { source }]) => hasEffect(key) || source === 'config',
  );
  return formatTable(
    [{ title: 'KEY' }, { title: 'VALUE', shrinks: true }, { title: 'FROM' }],
    shown.map(([key, { value, source }]) => [
      look.paint.name(oneLine(key)),
      value === null ? look.paint.quiet('not set') : oneLine(JSON.stringify(value)),
      hasEffect(key) ? nameSource(source) : 'config.toml, no effect in this version',
    ]),
    tableWidthOf(look),
    look.paint.quiet,
  );
}

function nameSource(source: ConfigValue['source']): string {
  return source === 'config' ? 'config.toml' : 'default';
}
