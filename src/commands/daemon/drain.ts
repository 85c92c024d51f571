import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { livingDaemon, requireDaemonAllowed } from '../../cli/daemon-life.ts';
import { count } from '../../cli/text.ts';
import { errorTable } from '../../core/errors.ts';
import type { drainDaemon } from '../../protocol/admin/drain-daemon.ts';

export default class DaemonDrain extends LecternCommand {
  static override summary =
    'Wait until the daemon has answered what is in flight; exit 10 when it has not in time.';
  static override description =
    'It goes on taking requests: for a script that waits for a quiet moment. `daemon stop` drains by itself.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --timeout 60',
  ];
  static override flags = {
    timeout: Flags.integer({
      default: 5,
      min: 0,
      max: 60,
      description: 'Seconds to wait at most.',
      helpValue: 'SECONDS',
    }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(DaemonDrain));
    requireDaemonAllowed();
    if (livingDaemon() === undefined) {
      this.show({
        json: { isIdle: true, inFlight: 0 },
        text: 'the daemon is not running',
        next: 'lectern daemon start',
      });
      return;
    }
    const { isIdle, inFlight } = await this.ask<typeof drainDaemon>(
      'daemon.drain',
      { timeoutMs: flags.timeout * 1000 },
      { autostart: false },
    );
    this.show({
      json: { isIdle, inFlight },
      text: isIdle
        ? 'nothing is in flight'
        : `still in flight after ${flags.timeout} s: ${count(inFlight, 'request')}`,
      next: isIdle ? 'lectern daemon status' : 'lectern daemon sessions',
    });
    if (!isIdle) process.exitCode = errorTable.health_degraded.exit;
  }
}
