import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { execa } from 'execa';
import { LecternError } from '../core/errors.ts';
import { reachUserManager } from '../protocol/link/user-manager.ts';

/** A service manager that does not answer in this time will not answer at all. */
const COMMAND_MS = 20_000;

/** What a command came to. */
export interface CommandResult {
  hasFailed: boolean;
  /** Standard output and error. */
  said: string;
  /** There is no such program. */
  isMissing: boolean;
}

/** Run one command of a service manager; never throws. */
export async function tryCommand([command, ...args]: string[]): Promise<CommandResult> {
  const result = await execa(command!, args, {
    reject: false,
    stdin: 'ignore',
    timeout: COMMAND_MS,
    all: true,
    extendEnv: false,
    env: reachUserManager(process.env),
  });
  return {
    hasFailed: result.failed,
    said: (result.all ?? '').trim(),
    isMissing: result.code === 'ENOENT',
  };
}

/** Run commands for what they may still find to do. */
export async function tryCommands(commands: string[][]): Promise<void> {
  for (const command of commands) await tryCommand(command);
}

/**
 * Run one command of a service manager.
 *
 * @throws LecternError io with the command, what it said, and what helps
 */
export async function runCommand(command: string[]): Promise<void> {
  const { hasFailed, said, isMissing } = await tryCommand(command);
  if (!hasFailed) return;
  const [program] = command;
  if (isMissing) {
    throw new LecternError('io', `there is no ${program} here to start lectern at login`, {
      next: WITHOUT_SERVICE,
    });
  }
  throw new LecternError('io', `${command.join(' ')} failed: ${said || 'it says nothing'}`, {
    next: adviseOn(said, existsSync('/run/systemd/system')),
  });
}

const WITHOUT_SERVICE = 'lectern daemon start   (agents also start it when they need it)';

/**
 * What helps when a service manager refuses.
 *
 * @param isSystemd systemd runs this machine (sd_booted(3))
 */
export function adviseOn(said: string, isSystemd: boolean): string {
  // "Failed to connect to bus", and since systemd 254 "… to user scope bus via local transport".
  if (/connect to .*bus/i.test(said)) {
    if (!isSystemd) return `${WITHOUT_SERVICE.slice(0, -1)}; systemd does not run this machine)`;
    return `loginctl enable-linger ${nameUser()}, then again: lectern daemon install   (su and sudo open no session with services)`;
  }
  // launchctl, of `gui/UID` from ssh.
  if (/domain does not support|125:/i.test(said)) {
    return 'log in at the screen of this Mac, then again: lectern daemon install';
  }
  return WITHOUT_SERVICE;
}

function nameUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
