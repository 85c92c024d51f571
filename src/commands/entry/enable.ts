import { SwitchEntryCommand } from '../../cli/switch-entry-command.ts';

export default class EntryEnable extends SwitchEntryCommand {
  static override summary = "Enable one entry, whatever its plugin's state.";
  protected override readonly isEnabling = true;
}
