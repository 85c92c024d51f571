// `npm run dev -- mcp` runs from source what bin/lectern.js runs from dist/.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);

const load = (entry) => `(await import(${JSON.stringify(join(root, entry))}))`;
// What bin/lectern.js gives to the proxy's first part, which loads the other with it.
const giveParts = `const relay = ${load('proxy/open-relay.ts')}; globalThis.loadPart = () => relay;`;

const [entry, rest, call] = route();
const start = `${args[0] === 'mcp' ? giveParts : ''} await ${load(entry)}${call};`;
const child = spawn(
  process.execPath,
  ['--import', 'tsx', '--input-type=module', '--eval', start, '--', ...rest],
  { stdio: 'inherit' },
);
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

function route() {
  switch (args[0]) {
    case 'mcp':
      return ['proxy/main.ts', args, ''];
    case 'daemon':
      if (args[1] === 'run' || args[1] === '--stdio') return ['daemon/main.ts', args.slice(1), ''];
      break;
    case 'tui':
      return ['src/tui/main.ts', [], `.main(${JSON.stringify(args.slice(1))})`];
  }
  return ['src/cli/main.ts', [], `.main(${JSON.stringify(args)}, ${JSON.stringify(root)})`];
}
