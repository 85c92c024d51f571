import { spawnSync } from 'node:child_process';

/** Linux numbers of prctl and socket, and what of them the filter needs, by `process.arch`. */
const CALLS: Partial<Record<NodeJS.Architecture, { prctl: number; socket: number }>> = {
  x64: { prctl: 157, socket: 41 },
  arm64: { prctl: 167, socket: 198 },
};

/**
 * A command line that runs what follows it as sandboxes of agent hosts do: a
 * seccomp filter answers EPERM to each `socket(AF_UNIX)`. Undefined where no
 * such filter can be set.
 */
export function withoutLocalSockets(): string[] | undefined {
  const calls = CALLS[process.arch];
  if (process.platform !== 'linux' || calls === undefined) return undefined;
  // Instructions of seccomp's BPF: code, jump if true, jump if false, operand.
  const filter = [
    [0x20, 0, 0, 0], // load the number of the system call
    [0x15, 0, 3, calls.socket], // another one: allow
    [0x20, 0, 0, 16], // load its first argument
    [0x15, 0, 1, 1], // not AF_UNIX: allow
    [0x06, 0, 0, 0x0005_0001], // EPERM
    [0x06, 0, 0, 0x7fff_0000], // allow
  ];
  const script = `
    my $filter = join '', map { pack 'SCCL', @$_ } (${filter.map((it) => `[${it}]`)});
    my $program = pack 'Sx6P', ${filter.length}, $filter;
    # PR_SET_NO_NEW_PRIVS, then PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
    syscall(${calls.prctl}, 38, 1, 0, 0, 0) == 0 or exit 125;
    syscall(${calls.prctl}, 22, 2, $program) == 0 or exit 125;
    exec @ARGV or exit 126;`;
  const within = ['perl', '-e', script, '--'];
  const refused = `require('net').connect('/nonexistent').on('error', (e) => process.exit(e.code === 'EPERM' ? 0 : 1))`;
  const tried = spawnSync(within[0]!, [...within.slice(1), process.execPath, '-e', refused]);
  return tried.status === 0 ? within : undefined;
}
