import { dedupeDiagnostics, isOk, sortDiagnostics } from '../diagnostics/order.ts';
import { diagnosticLines, diagnosticMembers } from '../diagnostics/print.ts';
import type { Diagnostic } from '../diagnostics/types.ts';
import type { Files } from '../files/types.ts';
import { createApp } from '../interact/app.ts';
import { decodeRaw, decodeUtf8, JsonError, type RawJson } from '../json/decode.ts';
import { printJson } from '../json/print.ts';
import { actionCatalog, unlistedActions } from '../language/actions.ts';
import { staticDockConflicts } from '../style/index.ts';
import { parseFlags } from './flags.ts';
import { type Inputs, oneFile, readBytes, readInputs } from './options.ts';
import { fail, reported, type ToolResult } from './result.ts';

/** Frames that validate looks at (U-148). */
const WIDTHS = [40, 80, 120];
const HEIGHT = 24;
/** They depend on data, so without it they say nothing (U-149). */
const NEED_DATA = new Set(['B001', 'B002', 'B003', 'B008', 'B009', 'B010']);

/** `validate FILE` (U-148 … U-152). */
export async function runValidate(words: readonly string[], files: Files): Promise<ToolResult> {
  const flags = parseFlags('validate', words);
  const path = oneFile('validate', flags);
  const inputs = await readInputs(files, path, flags);
  const { document } = inputs.loaded;
  const found = collect(inputs, flags.booleans.get('strict') === true);
  const catalogPath = flags.strings.get('catalog') ?? '';
  if (catalogPath !== '') {
    const listed = readCatalog(decodeUtf8(await readBytes(files, catalogPath)), catalogPath);
    for (const warning of unlistedActions(document, listed)) found.push(warning);
  }
  const diagnostics = sortDiagnostics(dedupeDiagnostics(found));
  const ok = isOk(diagnostics);
  if (flags.booleans.get('json') !== true) {
    return reported(diagnosticLines(diagnostics) + (ok ? 'ok\n' : ''), ok);
  }
  const actions = actionCatalog(document).map(({ name, builtin, sources }) => ({
    name,
    builtin: builtin || undefined,
    registered: false,
    sources,
  }));
  const report = { actions, diagnostics: diagnostics.map(diagnosticMembers), file: path, ok };
  return reported(printJson(report), ok);
}

/** Static diagnostics and those of the initial screen at three widths under each theme (U-148). */
function collect(inputs: Inputs, strict: boolean): Diagnostic[] {
  const { loaded, data, hasData, theme } = inputs;
  const { document, sheets } = loaded;
  const found = [...loaded.diagnostics];
  if (document.screens.length === 0) return found;
  const effective = theme ?? document.theme ?? 'dark';
  const themes = effective === 'auto' ? (['dark', 'light'] as const) : ([effective] as const);
  const app = createApp({ loaded, data, theme, strict, cols: WIDTHS[0]!, rows: HEIGHT });
  for (const each of themes) {
    app.useTheme(each);
    for (const cols of WIDTHS) {
      app.resize(cols, HEIGHT);
      for (const diagnostic of app.draw().diagnostics) {
        if (hasData || !NEED_DATA.has(diagnostic.code)) found.push(diagnostic);
      }
      const frame = { theme: each, cols, rows: HEIGHT };
      for (const conflict of staticDockConflicts(document, sheets, frame)) found.push(conflict);
    }
  }
  return found;
}

/** Names in a catalog file (U-130). */
function readCatalog(text: string, path: string): Set<string> {
  let value: RawJson;
  try {
    value = decodeRaw(text).value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    value = null;
  }
  const list = value instanceof Map ? value.get('actions') : value;
  if (!Array.isArray(list)) {
    fail(`${path}: want a JSON array of action names (or {"actions": [...]})`);
  }
  const names = new Set<string>();
  for (const entry of list) {
    const name = entry instanceof Map ? entry.get('name') : entry;
    if (typeof name === 'string') names.add(name);
  }
  return names;
}
