import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { decodeText } from '../core/text-decoding.ts';
import { readEntryFields } from './entry-fields.ts';
import { parseFrontmatter } from './frontmatter.ts';
import { MAX_ENTRY_BYTES } from './limits.ts';
import type { Candidate, PluginPlan } from './plan.ts';
import { type BoundedFile, readBounded } from './read-bounded.ts';
import { QUARANTINED, type Reading } from './reading.ts';
import type { EntryKind, EntryReading, PluginFormat, Problem } from './types.ts';

/**
 * Files in flight at once. The thread pool has four threads; twice that keeps
 * them busy while one text is parsed, and bounds the memory to 2 MiB.
 */
const READS_AT_ONCE = 8;

export interface LoadedPlugin {
  plan: PluginPlan;
  /** In the order of the plan's candidates. */
  entries: EntryReading[];
  found: Record<EntryKind, number>;
}

/** Read the entry files of all plans. What cannot be loaded becomes a problem of its plan. */
export async function loadEntries(
  reading: Reading,
  plans: readonly PluginPlan[],
): Promise<LoadedPlugin[]> {
  const loaded = plans.map((plan) => ({
    plan,
    slots: new Array<EntryReading | null | undefined>(plan.candidates.length),
  }));
  const work = eachCandidate(reading, loaded);
  const text = { bytes: reading.limits.maxTextBytes };
  const readers = Array.from({ length: READS_AT_ONCE }, async () => {
    for (const { plan, candidate, slots, index } of work) {
      await reading.pacer.breathe();
      slots[index] = await loadCandidate(reading, plan, candidate, text);
    }
  });
  await Promise.all(readers);
  return loaded.map(({ plan, slots }) => {
    const found = { skill: 0, command: 0, agent: 0 };
    for (const [index, candidate] of plan.candidates.entries()) {
      // Null is a file that turned out to be no entry at all.
      if (slots[index] !== null) found[candidate.kind] += 1;
    }
    return { plan, entries: slots.filter((entry) => entry != null), found };
  });
}

interface Work {
  plan: PluginPlan;
  candidate: Candidate;
  slots: (EntryReading | null | undefined)[];
  index: number;
}

function* eachCandidate(
  reading: Reading,
  loaded: { plan: PluginPlan; slots: Work['slots'] }[],
): Generator<Work> {
  let left = reading.limits.maxEntries;
  for (const { plan, slots } of loaded) {
    for (const [index, candidate] of plan.candidates.entries()) {
      left -= 1;
      if (left < 0) {
        reportLimit(plan, candidate, 'maxEntries', reading.limits.maxEntries);
        continue;
      }
      yield { plan, candidate, slots, index };
    }
  }
}

function reportLimit(plan: PluginPlan, candidate: Candidate, limit: string, value: number): void {
  plan.problems.push({
    severity: 'error',
    file: candidate.file,
    message: `${candidate.path} is not loaded: the limit ${limit} (${value}) is reached`,
    fix: 'enrol a smaller folder',
  });
}

async function loadCandidate(
  reading: Reading,
  plan: PluginPlan,
  candidate: Candidate,
  text: { bytes: number },
): Promise<EntryReading | null | undefined> {
  const refuse = (message: string, fix: string): undefined => {
    plan.problems.push({
      severity: 'error',
      file: candidate.file,
      message: `${candidate.path} is not loaded: ${message}`,
      fix,
    });
  };
  if (reading.skipFiles.has(candidate.file)) return refuse(...QUARANTINED);
  const unchanged = recall(reading, candidate);
  if (unchanged !== undefined) return unchanged;
  const found = await readBounded(candidate.file, MAX_ENTRY_BYTES);
  if ('refused' in found) {
    if (found.refused === 'missing') return null;
    return refuse(
      found.detail,
      found.refused === 'too large'
        ? 'move parts into files beside it'
        : 'put a readable file in its place',
    );
  }
  text.bytes -= found.file.size;
  if (text.bytes < 0) {
    reportLimit(plan, candidate, 'maxTextBytes', reading.limits.maxTextBytes);
    return undefined;
  }
  reading.onFile(candidate.file);
  return parseEntry(found.file, candidate, plan.format);
}

/** The known entry of a file whose time and size are still the same. */
function recall(reading: Reading, candidate: Candidate): EntryReading | undefined {
  const known = reading.known.get(candidate.file);
  if (known === undefined || known.path !== candidate.path || known.kind !== candidate.kind) return;
  const found = statSync(candidate.file, { throwIfNoEntry: false });
  if (found === undefined || found.mtimeMs !== known.mtimeMs || found.size !== known.size) return;
  // Its name depends on the other entries, which may have changed: as declared, without the warning.
  const wasRenamed = known.name !== known.declaredName;
  return {
    ...known,
    name: known.declaredName,
    problems: wasRenamed ? known.problems.slice(0, -1) : [...known.problems],
    body: '',
    unchanged: true,
  };
}

/**
 * One entry from the bytes of its file; null for a file that is documentation
 * of its folder and no entry.
 */
export function parseEntry(
  file: BoundedFile,
  candidate: Candidate,
  format: PluginFormat,
): EntryReading | null {
  const decoded = decodeText(file.bytes);
  const frontmatter = parseFrontmatter(decoded.text);
  if (isReadme(candidate, format) && frontmatter.frontmatter === null) return null;
  const problems: Problem[] = [];
  if (decoded.damagedLine !== null) {
    problems.push({
      severity: 'warning',
      file: candidate.file,
      line: decoded.damagedLine,
      message: `the file is not valid ${decoded.encoding.toUpperCase()}; damaged characters read as U+FFFD`,
      fix: 'save it as UTF-8',
    });
  }
  const fields = readEntryFields(frontmatter, { ...candidate, format });
  return {
    kind: candidate.kind,
    ...fields,
    declaredName: fields.name,
    path: candidate.path,
    file: candidate.file,
    body: frontmatter.body,
    fileHash: createHash('sha256').update(file.bytes).digest('hex'),
    mtimeMs: file.mtimeMs,
    size: file.size,
    problems: [...problems, ...fields.problems],
  };
}

/** `commands/README.md` explains a folder; with frontmatter it may be meant as an entry. */
function isReadme(candidate: Candidate, format: PluginFormat): boolean {
  return (
    format !== 'tome' && candidate.kind !== 'skill' && /^readme$/i.test(candidate.fallbackName)
  );
}
