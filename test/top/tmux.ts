import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { eventually } from '../eventually.ts';

const run = promisify(execFile);

/** Why there can be no terminal here, or undefined. */
export function missingTmux(): string | undefined {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'tmux is not installed';
  }
}

/** A shell in a terminal of its own, without anybody's configuration. */
export interface Pane {
  type(...keys: string[]): Promise<void>;
  /** What is on the screen. */
  screen(): Promise<string>;
  /** Wait until the screen shows `text`. */
  shows(text: string | RegExp): Promise<string>;
  resize(cols: number, rows: number): Promise<void>;
  /** `1`/`0` of tmux's formats such as `alternate_on`. */
  flags(...names: string[]): Promise<Record<string, string>>;
}

export async function openPane(
  cwd: string,
  env: Record<string, string>,
  size: { cols: number; rows: number },
): Promise<Pane> {
  // A server of its own, so that nothing is shared and all of it ends with the test.
  const server = `lectern-test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const tmux = async (...args: string[]) =>
    (await run('tmux', ['-L', server, '-f', '/dev/null', ...args], { env, cwd })).stdout;
  const shape = ['-x', String(size.cols), '-y', String(size.rows)];
  await tmux('new-session', '-d', ...shape, 'sh');
  onTestFinished(() => tmux('kill-server').then(() => undefined));
  const screen = () => tmux('capture-pane', '-p');
  return {
    type: async (...keys) => void (await tmux('send-keys', ...keys)),
    screen,
    shows: (text) =>
      eventually(async () => {
        const shown = await screen();
        const found = typeof text === 'string' ? shown.includes(text) : text.test(shown);
        if (!found) throw new Error(`the screen does not show ${text}:\n${shown}`);
        return shown;
      }, 20_000),
    resize: async (cols, rows) =>
      void (await tmux('resize-window', '-x', String(cols), '-y', String(rows))),
    flags: async (...names) => {
      const values = (await tmux('display', '-p', names.map((name) => `#{${name}}`).join(' ')))
        .trim()
        .split(' ');
      return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
    },
  };
}
