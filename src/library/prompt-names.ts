import type { EntryKind } from '../catalog/types.ts';

/** The prompts that every workspace has (library contract 8.1). */
export const CONVERSION_PROMPT = 'add-tome-conversion-skill';
export const DROP_PERSONA_PROMPT = 'drop-persona';

/** Library contract 8.2. */
const WHOLE_NAME_CHARS = 48;
const PLUGIN_CHARS = 16;
const ENTRY_CHARS = 32;
const PERSONA_SUFFIX = '-persona';

/** What a prompt name is derived from. */
export interface PromptCandidate {
  catalog: string;
  plugin: string;
  kind: EntryKind;
  name: string;
  /** The frontmatter's own choice. */
  promptName: string | null;
  /** Unix ms. */
  indexedAt: number;
}

/** Lower case, `[a-z0-9_-]` only, no runs of `_`, none at the ends (library contract 8.2). */
export function sanitise(text: string): string {
  return text
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9_-]/gu, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
}

/** The name an entry would like to have. */
export function derivePromptName(entry: PromptCandidate): string {
  if (entry.promptName !== null && sanitise(entry.promptName) !== '') {
    return cut(sanitise(entry.promptName), WHOLE_NAME_CHARS);
  }
  return `${cut(sanitise(entry.plugin), PLUGIN_CHARS)}__${cut(sanitise(entry.name), ENTRY_CHARS)}`;
}

/**
 * Give every entry a name of its own (library contract 8.3): of those that
 * derive the same, the oldest keeps it, the others get `2`, `3`, … and never a
 * name that somebody holds. `reserved` names count as older than everything.
 */
export function assignPromptNames<Candidate extends PromptCandidate>(
  candidates: readonly Candidate[],
  reserved: readonly string[],
): Map<Candidate, string> {
  const buckets = new Map<string, Candidate[]>();
  for (const candidate of [...candidates].sort(byAgeThenIdentity)) {
    const name = derivePromptName(candidate);
    const bucket = buckets.get(name);
    if (bucket === undefined) buckets.set(name, [candidate]);
    else bucket.push(candidate);
  }
  const taken = new Set(reserved);
  const assigned = new Map<Candidate, string>();
  const losers: [string, Candidate][] = [];
  // All winners first, so that no suffix takes a name that a bucket holds.
  for (const [name, bucket] of buckets) {
    const isReserved = taken.has(name);
    taken.add(name);
    for (const [at, candidate] of bucket.entries()) {
      if (at === 0 && !isReserved) assigned.set(candidate, name);
      else losers.push([name, candidate]);
    }
  }
  for (const [name, candidate] of losers) {
    let number = 2;
    while (taken.has(`${name}${number}`)) number++;
    taken.add(`${name}${number}`);
    assigned.set(candidate, `${name}${number}`);
  }
  return assigned;
}

/** Persona names of the enabled agents: the plugin leads only where two agents share a name. */
export function assignPersonaNames<Agent extends { plugin: string; name: string }>(
  agents: readonly Agent[],
  reserved: readonly string[],
): Map<Agent, string> {
  const plugins = new Map<string, Set<string>>();
  for (const agent of agents) {
    const name = sanitise(agent.name);
    plugins.set(name, (plugins.get(name) ?? new Set()).add(agent.plugin));
  }
  const taken = new Set(reserved);
  const assigned = new Map<Agent, string>();
  for (const agent of agents) {
    const name = sanitise(agent.name);
    const clashes = plugins.get(name)!.size > 1;
    const base = clashes ? `${sanitise(agent.plugin)}-${name}` : name;
    const room = WHOLE_NAME_CHARS - PERSONA_SUFFIX.length;
    let persona = `${cut(base, room)}${PERSONA_SUFFIX}`;
    for (let number = 2; taken.has(persona); number++) {
      const suffix = `${PERSONA_SUFFIX}${number}`;
      persona = `${cut(base, WHOLE_NAME_CHARS - suffix.length)}${suffix}`;
    }
    taken.add(persona);
    assigned.set(agent, persona);
  }
  return assigned;
}

/** At most `chars` characters, without a `_` left at the end. */
function cut(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars).replace(/_+$/, '');
}

function byAgeThenIdentity(a: PromptCandidate, b: PromptCandidate): number {
  return (
    a.indexedAt - b.indexedAt ||
    compare(a.catalog, b.catalog) ||
    compare(a.plugin, b.plugin) ||
    compare(a.kind, b.kind) ||
    compare(a.name, b.name)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
