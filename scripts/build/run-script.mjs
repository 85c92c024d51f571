import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What is compiled ahead takes seconds; what hangs would hang every build after it. */
const DEADLINE_MS = 120_000;

/**
 * Run a script of this folder to its end. Its input stays open: the end of it would end a proxy.
 *
 * @throws what it printed, when it fails or does not end
 */
export function runScript(name, args, input = '', deadlineMs = DEADLINE_MS) {
  const script = fileURLToPath(new URL(name, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      // What hangs may hear no other signal.
      { timeout: deadlineMs, killSignal: 'SIGKILL' },
      (error, _stdout, stderr) => {
        if (error === null) resolve();
        else if (!error.killed) reject(error);
        else reject(new Error(`${name} did not end within ${deadlineMs} ms; it said: ${stderr}`));
      },
    );
    // A script that failed reads no more; its end says why.
    child.stdin.on('error', () => {});
    child.stdin.write(input);
  });
}
