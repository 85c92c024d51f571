import { createInterface } from 'node:readline/promises';
import { LecternError } from '../core/errors.ts';

/**
 * Let a person pick one of `choices` by number or by name.
 *
 * @throws LecternError interrupted when the answer is none of them
 */
export async function chooseOne(question: string, choices: readonly string[]): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    choices.forEach((choice, at) => {
      process.stderr.write(`${String(at + 1).padStart(3)}  ${choice}\n`);
    });
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = (await Promise.race([lines.question(`${question} `), closed])).trim();
    const chosen = choices.find((choice, at) => choice === answer || String(at + 1) === answer);
    if (chosen === undefined) throw new LecternError('interrupted', 'nothing was chosen');
    return chosen;
  } finally {
    lines.close();
  }
}
