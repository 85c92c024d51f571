import { homedir } from 'node:os';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { requireDaemonAllowed } from '../cli/daemon-life.ts';
import { errorTable, LecternError } from '../core/errors.ts';
import type { getStatus } from '../protocol/admin/get-status.ts';
import { resolveStateRoot, statePaths } from '../protocol/link/state-paths.ts';

/** A frame for a pipe, a log or a page: what terminals have had since there were terminals. */
const PLAIN_SIZE = { cols: 80, rows: 24 };

export default class Top extends LecternCommand {
  static override summary = 'Watch the daemon: sessions, searches, index, problems, log.';
  static override description =
    'Press ? for the keys and q to quit. Where there is no terminal, and with --once, one frame is printed. Nothing is changed, and no daemon is started; exit 10 when none is running.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --once --size 120x40',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = {
    once: Flags.boolean({ description: 'Print one frame instead of watching.' }),
    size: Flags.string({ description: 'Columns and rows of that frame.', helpValue: 'CxR' }),
    interval: Flags.integer({
      default: 1,
      min: 1,
      max: 60,
      description: 'Seconds from one reading to the next.',
      helpValue: 'S',
    }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(Top));
    requireDaemonAllowed();
    const { openFeed } = await import('../top/feed.ts');
    const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
    const feed = openFeed(this.workspace);
    if (this.globals.json || flags.once || !isTerminal) {
      const size = flags.size === undefined ? this.#terminalSize() : parseSize(flags.size);
      await feed.refresh();
      feed.close();
      if (feed.snapshot.pulse !== null && feed.snapshot.standing === null) {
        // One frame cannot try again: what is wrong, such as the workspace, fails as in `status`.
        await this.ask<typeof getStatus>(
          'status.get',
          { workspace: this.workspace, verify: false },
          { autostart: false },
        );
      }
      await this.#showOnce(feed.snapshot, size);
      return;
    }
    if (flags.size !== undefined) {
      throw new LecternError('usage', '--size is the size of one printed frame: add --once');
    }
    const { runTop } = await import('../top/run.ts');
    const { processIo } = await import('../tui/commands/io.ts');
    // Ctrl-C is how watching ends, not an interruption of it.
    process.removeAllListeners('SIGINT');
    process.exitCode = await runTop({
      feed,
      io: processIo(),
      depth: await this.#depth(),
      logFile: statePaths(resolveStateRoot()).daemonLog,
      home: homedir(),
      intervalMs: flags.interval * 1000,
    });
  }

  async #showOnce(
    snapshot: import('../top/snapshot.ts').Snapshot,
    size: { cols: number; rows: number },
  ): Promise<void> {
    const { pulse, standing, failure } = snapshot;
    if (pulse === null) process.exitCode = errorTable.health_degraded.exit;
    if (this.globals.json) {
      const known = { ...pulse, ...standing, ...(failure === null ? {} : { failure }) };
      this.show({ json: { running: pulse !== null, ...known }, text: '' });
      return;
    }
    const { printOnce } = await import('../top/once.ts');
    const depth = process.stdout.isTTY === true ? await this.#depth() : null;
    const text = await printOnce(snapshot, { ...size, depth, home: homedir() });
    this.show({
      json: snapshot,
      text,
      ...(pulse === null ? { next: 'lectern daemon start' } : {}),
    });
  }

  async #depth(): Promise<import('../tui/run/ansi.ts').ColorDepth> {
    const { detectDepth } = await import('../tui/run/ansi.ts');
    return this.terminal.colour ? detectDepth(process.env) : 'none';
  }

  #terminalSize(): { cols: number; rows: number } {
    const { columns, rows } = process.stdout;
    // One row less: the shell's prompt comes below.
    return process.stdout.isTTY === true ? { cols: columns, rows: rows - 1 } : PLAIN_SIZE;
  }
}

/** @throws LecternError usage */
function parseSize(text: string): { cols: number; rows: number } {
  const [, cols, rows] = /^([1-9][0-9]{0,2})x([1-9][0-9]{0,2})$/.exec(text) ?? [];
  if (cols !== undefined && rows !== undefined) return { cols: Number(cols), rows: Number(rows) };
  throw new LecternError('usage', `--size takes columns and rows such as 120x40, not "${text}"`);
}
