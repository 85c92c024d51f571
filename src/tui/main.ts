import { runTuiCommand } from './commands/index.ts';

/**
 * Entry of `lectern tui …` in the built product (design 2: routed before oclif).
 *
 * @param args the raw words after `tui`
 */
export async function main(args: string[]): Promise<void> {
  process.exitCode = await runTuiCommand(args);
}
