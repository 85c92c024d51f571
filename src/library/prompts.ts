import { INVALID_PARAMS, LecternError, toLecternError } from '../core/errors.ts';
import {
  assignPersonaNames,
  assignPromptNames,
  CONVERSION_PROMPT,
  DROP_PERSONA_PROMPT,
} from './prompt-names.ts';
import { readEntryBody } from './read-entry.ts';
import { type RenderContext, renderBody } from './render-body.ts';
import { compareText, type LibraryEntry, type ScopeView } from './scope-view.ts';

/** Library contract 8.4. */
const MAX_DESCRIPTION_CHARS = 300;

/** Described where the frontmatter has no `argument-hint`. */
const CATCH_ALL_HINT = 'Everything after the command, as one line (args)';

export interface PromptArgument {
  name: string;
  description?: string;
  required: boolean;
}

/** One item of `prompts/list`. */
export interface PromptItem {
  name: string;
  description: string;
  arguments?: PromptArgument[];
}

export interface PromptAnswer {
  description?: string;
  messages: { role: 'user'; content: { type: 'text'; text: string } }[];
}

/** The prompts of one workspace at one moment. */
export interface PromptTable {
  /** Sorted by name. */
  items: PromptItem[];
  entries: ReadonlyMap<string, LibraryEntry>;
  personas: ReadonlyMap<string, LibraryEntry>;
  nameOf: ReadonlyMap<LibraryEntry, string>;
}

/** Put together the prompts of a view (library contract 8.1–8.4). Pure. */
export function buildPromptTable(view: ScopeView, withPersonas: boolean): PromptTable {
  const reserved = withPersonas ? [CONVERSION_PROMPT, DROP_PERSONA_PROMPT] : [CONVERSION_PROMPT];
  const candidates = view.enabled
    .filter((it) => it.kind !== 'agent' && it.entry.userInvocable)
    .map((entry) => ({
      catalog: entry.catalog,
      plugin: entry.plugin,
      kind: entry.kind,
      name: entry.name,
      promptName: entry.entry.promptName,
      indexedAt: entry.entry.indexedAt,
      entry,
    }));
  const entries = new Map<string, LibraryEntry>();
  const nameOf = new Map<LibraryEntry, string>();
  const items: PromptItem[] = [
    { name: CONVERSION_PROMPT, description: 'Install the skill that converts a marketplace.' },
  ];
  for (const [{ entry }, name] of assignPromptNames(candidates, reserved)) {
    entries.set(name, entry);
    nameOf.set(entry, name);
    const takes = describeArguments(entry);
    items.push({
      name,
      description: shorten(entry.entry.description),
      ...(takes.length === 0 ? {} : { arguments: takes }),
    });
  }
  const personas = new Map<string, LibraryEntry>();
  if (withPersonas) {
    const agents = view.enabled.filter((it) => it.kind === 'agent');
    items.push({
      name: DROP_PERSONA_PROMPT,
      description: 'Go back from a persona to your own behaviour.',
    });
    for (const [agent, name] of assignPersonaNames(agents, [...reserved, ...entries.keys()])) {
      personas.set(name, agent);
      nameOf.set(agent, name);
      items.push({
        name,
        description: shorten(
          `Persona, advisory context and not isolation: ${agent.entry.description}`,
        ),
        arguments: [{ name: 'args', description: CATCH_ALL_HINT, required: false }],
      });
    }
  }
  items.sort((a, b) => compareText(a.name, b.name));
  return { items, entries, personas, nameOf };
}

/**
 * Answer `prompts/get` (library contract 8.5): the body as it is on disk now,
 * rendered with the caller's arguments.
 *
 * @throws LecternError with `name` in its data
 */
export async function getPrompt(
  name: string,
  supplied: Readonly<Record<string, unknown>> | undefined,
  table: PromptTable,
  roots: readonly string[],
  context: RenderContext,
): Promise<PromptAnswer> {
  if (name === CONVERSION_PROMPT) {
    return answer('Install the skill that converts a marketplace.', CONVERSION_TEXT);
  }
  if (name === DROP_PERSONA_PROMPT && isListed(table, name)) {
    return answer('Go back to your own behaviour.', DROP_PERSONA_TEXT);
  }
  const entry = table.entries.get(name);
  const persona = table.personas.get(name);
  try {
    if (entry !== undefined) {
      const body = await readEntryBody(entry, roots);
      return answer(entry.entry.description, await renderBody(body, entry, context, supplied));
    }
    if (persona !== undefined) {
      const body = await readEntryBody(persona, roots);
      return answer(
        persona.entry.description,
        await renderBody(wrapPersona(name, persona, body), undeclared(persona), context, supplied),
      );
    }
  } catch (caught) {
    throw withName(toLecternError(caught), name, (entry ?? persona)!.entry.file);
  }
  throw new LecternError('entry_not_found', `there is no prompt "${name}"`, {
    code: 'prompt_not_found',
    rpc: INVALID_PARAMS,
    extras: { name },
    next: 'prompts/list',
  });
}

function isListed(table: PromptTable, name: string): boolean {
  return table.items.some((item) => item.name === name);
}

function describeArguments(entry: LibraryEntry): PromptArgument[] {
  const declared = entry.entry.arguments;
  if (declared.length > 0) {
    return declared.map(({ name, description }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      required: true,
    }));
  }
  if (!entry.entry.takesArguments) return [];
  return [
    { name: 'args', description: entry.entry.argumentHint ?? CATCH_ALL_HINT, required: false },
  ];
}

function answer(description: string, text: string): PromptAnswer {
  return {
    ...(description === '' ? {} : { description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** At most 300 characters, the last one `…` where something was cut. */
function shorten(description: string): string {
  if (description.length <= MAX_DESCRIPTION_CHARS) return description;
  const characters = [...description];
  if (characters.length <= MAX_DESCRIPTION_CHARS) return description;
  return `${characters.slice(0, MAX_DESCRIPTION_CHARS - 1).join('')}…`;
}

/** The codes of library contract 8.5: a file gone or unreadable is the caller's stale list. */
function withName(error: LecternError, name: string, file: string): LecternError {
  const code = error.details.code ?? error.category;
  const isUnreadable =
    code === 'skill_file_missing' ||
    code === 'frontmatter_strip_failed' ||
    error.category === 'catalog_not_found' ||
    error.category === 'plugin_not_found';
  if (isUnreadable) {
    return new LecternError('skill_frontmatter_parse_error', error.message, {
      rpc: INVALID_PARAMS,
      extras: { name, file },
      cause: error,
    });
  }
  const isKnown =
    error.category === 'prompt_argument_mismatch' ||
    error.category === 'invalid_argument_frontmatter' ||
    error.category === 'plugin_data_dir_write_failed' ||
    error.category === 'workspace_data_dir_write_failed';
  return new LecternError(isKnown ? error.category : 'substitution_failed', error.message, {
    extras: { name, ...error.details.extras },
    cause: error,
  });
}

function wrapPersona(name: string, agent: LibraryEntry, body: string): string {
  return [
    `Take on the persona "${agent.name}" below, and keep it until you are told to drop it.`,
    '',
    `<${name}>`,
    body.trimEnd(),
    `</${name}>`,
    '',
    'Begin with this, if anything follows: $ARGUMENTS',
  ].join('\n');
}

/** Personas take one catch-all, whatever the agent declares (library contract 8.6). */
function undeclared(agent: LibraryEntry): LibraryEntry {
  return { ...agent, entry: { ...agent.entry, arguments: [] } };
}

const DROP_PERSONA_TEXT =
  'Drop any persona that you have taken on in this conversation, and go back to your default behaviour.';

const CONVERSION_TEXT = `Do these two steps:

1. Call the \`meta\` tool with {"action":"install","skill_id":"convert-marketplace"}.
2. Follow the skill that it installs: read \`SKILL.md\` in the folder \`convert-marketplace\` of the directory that the call returns.

The skill stays on disk, so that later sessions find it without this prompt.`;
