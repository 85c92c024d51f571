import { parseFlags } from '../commands/flags.ts';
import { type TuiIo, writeAll } from '../commands/io.ts';
import { oneFile, readInputs } from '../commands/options.ts';
import { fail } from '../commands/result.ts';
import type { FiredEvent } from '../frame/state.ts';
import { createApp } from '../interact/app.ts';
import { compactSortedJson } from '../json/print.ts';
import { chosenDepth } from './options.ts';
import { exitCodeOf, runOnTerminal } from './session.ts';

/**
 * `run FILE`: the document in this terminal, for trying it out. Nothing implements its actions, so
 * those that fired are listed when it ends.
 */
export async function runLive(words: readonly string[], io: TuiIo): Promise<number> {
  const flags = parseFlags('run', words);
  const path = oneFile('run', flags);
  if (io.stdin.isTTY !== true || io.stdout.isTTY !== true) {
    fail('run: stdin and stdout must be a terminal (use dump or play without one)');
  }
  const depth = chosenDepth(flags, io.env, true);
  const { loaded, data, theme } = await readInputs(io.files, path, flags);
  const strict = flags.booleans.get('strict') === true;
  const app = createApp({ loaded, data, theme, strict, cols: 80, rows: 24 });
  const lines: string[] = [];
  const ending = await runOnTerminal(app, io, depth, (event) => lines.push(eventLine(event)));
  await writeAll(io.stdout, lines.map((line) => `${line}\n`).join(''));
  if (ending.reason === 'error') await writeAll(io.stderr, `tuimark: run: ${ending.error}\n`);
  return exitCodeOf(ending);
}

function eventLine({ action, source, keys, value }: FiredEvent): string {
  const who = source === '' ? '-' : source;
  return `${action} ${who} ${compactSortedJson(new Map(keys))} ${compactSortedJson(value)}`;
}
