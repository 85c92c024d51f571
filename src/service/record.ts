import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from '../core/atomic-file.ts';
import { statePaths } from '../protocol/link/state-paths.ts';
import type { ServiceRecipe } from './plan.ts';

/**
 * `service.json`, beside the state: how a client in a sandbox starts the service
 * and not a child of its own (spawn-daemon.ts), and what was written where.
 */
export interface ServiceRecord {
  platform: ServiceRecipe['platform'];
  name: string;
  file: string;
  start: string[];
  /** Of the text that we wrote: another text is a person's. */
  sha256: string;
}

/** What is on record; of a former version without name and digest. */
export async function readRecord(stateRoot: string): Promise<Partial<ServiceRecord> | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(statePaths(stateRoot).serviceFile, 'utf8'));
    return typeof record === 'object' && record !== null ? record : undefined;
  } catch {
    return undefined;
  }
}

export async function writeRecord(stateRoot: string, recipe: ServiceRecipe): Promise<void> {
  const { platform, name, file, start, content } = recipe;
  const record: ServiceRecord = { platform, name, file, start, sha256: digestText(content) };
  await replaceFile(statePaths(stateRoot).serviceFile, `${JSON.stringify(record)}\n`);
}

export async function removeRecord(stateRoot: string): Promise<void> {
  await rm(statePaths(stateRoot).serviceFile, { force: true });
}

export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
