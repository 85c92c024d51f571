import { SwitchEntryCommand } from '../../cli/switch-entry-command.ts';

export default class EntryDisable extends SwitchEntryCommand {
  static override summary = 'Disable one entry of an enabled plugin.';
  protected override readonly isEnabling = false;
}
