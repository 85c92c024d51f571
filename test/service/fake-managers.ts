import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Service managers of three platforms that do what the real ones are asked for
 * here, as far as files can show it, and write down each order.
 */
export interface FakeManagers {
  /** To be put before PATH. */
  readonly bin: string;
  readonly path: string;
  /** The orders since the last look, one a line: program and arguments. */
  takeOrders(): string[];
  /** Whether a service of this name runs. */
  runs(name: string): boolean;
  /** From now on this word fails and says so; `times` of them, else for ever. */
  failOn(word: string, said: string, times?: number): void;
}

const PROLOGUE = (dir: string, program: string) => `#!/bin/sh
printf '%s\\n' "${program} $*" >> '${dir}/orders'
for word in "$@"; do
  if [ -e "${dir}/fail/$word" ]; then
    left=$(cat "${dir}/times/$word")
    if [ "$left" != 0 ]; then
      echo $((left - 1)) > "${dir}/times/$word"
      cat "${dir}/fail/$word" >&2
      exit 1
    fi
  fi
  last=$word
done
name=\${last##*/}
`;

const SYSTEMCTL = (dir: string) => `
case "$2" in
  enable|start) : > "${dir}/runs $name" ;;
  disable) rm -f "${dir}/runs $name" ;;
  is-active) [ -e "${dir}/runs $name" ] ;;
  reset-failed) exit 1 ;;
esac
`;

const LAUNCHCTL = (dir: string) => `
name=\${name%.plist}
case "$1" in
  bootstrap)
    if [ -e "${dir}/runs $name" ]; then echo 'Bootstrap failed: 5: Input/output error' >&2; exit 5; fi
    : > "${dir}/runs $name" ;;
  bootout) [ -e "${dir}/runs $name" ] && rm "${dir}/runs $name" ;;
  print|kickstart) [ -e "${dir}/runs $name" ] ;;
esac
`;

const SCHTASKS = (dir: string) => `
while [ $# -gt 0 ]; do
  case "$1" in
    /TN) task=$2 ;;
    /XML) xml=\${2:-print} ;;
    /Create|/Run|/End|/Delete|/Query) verb=$1 ;;
  esac
  shift
done
[ "$verb" = /Create ] || [ -e "${dir}/runs $task" ] || exit 1
case "$verb" in
  /Create) cp "$xml" "${dir}/runs $task" ;;
  /Delete) rm "${dir}/runs $task" ;;
  /Query) [ -z "$xml" ] || tr -d '\\000\\r' < "${dir}/runs $task" ;;
esac
`;

/** @param dir an empty directory for the programs and what they note */
export function fakeManagers(dir: string): FakeManagers {
  const bin = join(dir, 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(dir, 'fail'));
  mkdirSync(join(dir, 'times'));
  // The real verifiers would look for programs that these tests only name.
  const nothing = () => '';
  const programs = {
    systemctl: SYSTEMCTL,
    launchctl: LAUNCHCTL,
    schtasks: SCHTASKS,
    'systemd-analyze': nothing,
    plutil: nothing,
  };
  for (const [name, script] of Object.entries(programs)) {
    const file = join(bin, name);
    writeFileSync(file, `${PROLOGUE(dir, name)}${script(dir)}`);
    chmodSync(file, 0o755);
  }
  const orders = join(dir, 'orders');
  return {
    bin,
    path: `${bin}${delimiter}${process.env['PATH']}`,
    takeOrders() {
      const text = existsSync(orders) ? readFileSync(orders, 'utf8') : '';
      writeFileSync(orders, '');
      return text.split('\n').filter((line) => line !== '');
    },
    runs: (name) => existsSync(join(dir, `runs ${name}`)),
    failOn(word, said, times = -1) {
      writeFileSync(join(dir, `fail/${word}`), `${said}\n`);
      writeFileSync(join(dir, `times/${word}`), String(times));
    },
  };
}
