import { writeFile } from 'node:fs/promises';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { count } from '../../cli/text.ts';
import { LecternError } from '../../core/errors.ts';
import type { exportState } from '../../protocol/admin/export-state.ts';

export default class StateExport extends LecternCommand {
  static override summary = 'Write everything that people decided as one JSON document.';
  static override description =
    'Catalogs, enablement, tiers, workspaces, bindings and trust; no secrets, and nothing that can be recomputed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> > lectern-state.json',
    '<%= config.bin %> <%= command.id %> --output lectern-state.json',
  ];
  static override flags = {
    output: Flags.string({
      char: 'o',
      description: 'File to write, mode 0600.',
      helpValue: 'FILE',
    }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(StateExport));
    const state = await this.ask<typeof exportState>('state.export', {});
    if (flags.output === undefined) {
      this.show({ json: state, text: JSON.stringify(state, null, 2) });
      return;
    }
    await writePrivately(flags.output, `${JSON.stringify(state, null, 2)}\n`);
    this.show({
      json: { exported: { path: flags.output, workspaces: state.workspaces.length } },
      text: `${this.paint.good('exported')} ${count(state.workspaces.length, 'workspace')} to ${flags.output}`,
    });
  }
}

/** What the system's codes mean for somebody who gave a path. */
const REFUSALS: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its directory is a file',
  EISDIR: 'it is a directory',
  EACCES: 'you may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** @throws LecternError io (7) */
async function writePrivately(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600 });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new LecternError('io', `cannot write ${path}: ${REFUSALS[code ?? ''] ?? message}`, {
      next: 'lectern state export --output FILE',
      cause,
    });
  }
}
