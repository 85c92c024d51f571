import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Run a script of this folder to its end. Its input stays open: the end of it would end a proxy. */
export function runScript(name, args, input = '') {
  const script = fileURLToPath(new URL(name, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script, ...args], (error) =>
      error === null ? resolve() : reject(error),
    );
    child.stdin.write(input);
  });
}
