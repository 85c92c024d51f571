import type { Field, Frontmatter } from './frontmatter.ts';
import { findDeceptive, stripHidden } from './hidden-characters.ts';
import { MAX_ARGUMENTS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS } from './limits.ts';
import type { EntryArgument, EntryKind, PluginFormat, Problem } from './types.ts';

/** The part of an entry that its own text decides. */
export interface EntryFields {
  name: string;
  description: string;
  whenToUse: string | null;
  arguments: EntryArgument[];
  argumentHint: string | null;
  promptName: string | null;
  searchable: boolean;
  userInvocable: boolean;
  problems: Problem[];
}

export interface EntryPlace {
  kind: EntryKind;
  format: PluginFormat;
  /** Absolute, for problems. */
  file: string;
  /** Folder of a skill, file stem of a command or agent. */
  fallbackName: string;
}

/** Characters of the body that stand in for a missing description (library contract 2.6). */
const FALLBACK_CHARS = 500;

/**
 * The fields of library contract 2.6 and 2.7, with defaults, trimming and
 * fallbacks. A field of the wrong type, or a bad argument name, is a warning
 * on the entry, which stays loadable (design 1).
 */
export function readEntryFields(frontmatter: Frontmatter, place: EntryPlace): EntryFields {
  const problems: Problem[] = frontmatter.defects.map((defect) => ({
    severity: 'warning',
    file: place.file,
    ...defect,
  }));
  const warn: Warn = (message, fix, line) => {
    problems.push({
      severity: 'warning',
      file: place.file,
      ...(line === undefined ? {} : { line }),
      message,
      fix,
    });
  };
  const { fields } = frontmatter;
  const text = (key: string): string | null => readText(key, fields.get(key), warn);

  const name = chooseName(text('name'), place, fields.get('name')?.line, warn);
  const description = text('description') ?? fallBack(frontmatter, place, warn);
  const hint = fields.get('argument-hint');
  reportDeceptive(frontmatter, warn);
  return {
    name,
    description: shorten('description', description, warn, fields.get('description')?.line),
    whenToUse: nullable(
      shorten('when_to_use', text('when_to_use') ?? '', warn, fields.get('when_to_use')?.line),
    ),
    arguments: place.kind === 'agent' ? [] : readArguments(fields.get('arguments'), warn),
    // A hint in brackets is a YAML list by accident; its text is what was meant.
    argumentHint: hint === undefined ? null : nullable(asHint(hint)),
    promptName: text('prompt_name'),
    searchable: !readFlag('disable-model-invocation', fields, false, warn),
    userInvocable:
      place.kind !== 'agent' && readFlag('user-invocable', fields, place.kind === 'command', warn),
    problems,
  };
}

type Warn = (message: string, fix: string, line?: number) => void;

function nullable(text: string): string | null {
  return text === '' ? null : text;
}

function asHint(hint: Field): string {
  const text = typeof hint.value === 'string' ? hint.value : hint.value === null ? '' : hint.source;
  return stripHidden(text).text.trim();
}

/** A string field, trimmed; null when missing, empty or without usable text. */
function readText(key: string, field: Field | undefined, warn: Warn): string | null {
  if (field === undefined || field.value === null) return null;
  let text: string;
  if (typeof field.value === 'string') {
    text = field.value;
  } else {
    const list = Array.isArray(field.value) ? field.value : undefined;
    text = list?.every((item) => typeof item === 'string') ? list.join(' ') : field.source;
    warn(
      `${key} should be text and is ${nameType(field.value)}; it was read as text`,
      `put the value of ${key} in double quotes`,
      field.line,
    );
  }
  const { text: visible, removed } = stripHidden(text);
  if (removed > 0) {
    warn(`${key} holds hidden characters; they were left out`, 'delete them', field.line);
  }
  return nullable(visible.trim());
}

function nameType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

function readFlag(
  key: string,
  fields: Map<string, Field>,
  byDefault: boolean,
  warn: Warn,
): boolean {
  const field = fields.get(key);
  if (field === undefined || field.value === null) return byDefault;
  if (typeof field.value === 'boolean') return field.value;
  const word = field.source.replace(/^["']|["']$/g, '').toLowerCase();
  const meant = /^(true|yes|on)$/.test(word) ? true : /^(false|no|off)$/.test(word) ? false : null;
  warn(
    `${key} should be true or false and is ${nameType(field.value)}; it counts as ${meant ?? byDefault}`,
    `write ${key}: ${meant ?? byDefault}`,
    field.line,
  );
  return meant ?? byDefault;
}

function chooseName(
  declared: string | null,
  place: EntryPlace,
  line: number | undefined,
  warn: Warn,
): string {
  const fallback = toPlainName(place.fallbackName);
  if (declared === null) {
    // Native commands and agents go by their file's name; only skills and Tome's plugins must say it.
    if (place.kind === 'skill' || place.format === 'tome') {
      const whose = place.kind === 'skill' ? "folder's" : "file's";
      warn(`no name; the ${whose} name is used`, `add name: ${fallback}`);
    }
    return fallback;
  }
  const name = toPlainName(declared);
  const refusal = refuseName(name, place.kind);
  if (refusal === null) return name;
  warn(`name ${refusal}; "${fallback}" is used`, 'choose another name', line);
  return fallback;
}

/** A name in one line. File names can hold line ends and hidden characters too. */
function toPlainName(name: string): string {
  return stripHidden(name).text.replace(/\s+/g, ' ').trim() || 'unnamed';
}

/** Why a name cannot be one, or null. Names become parts of URIs and, for agents, of file names. */
function refuseName(name: string, kind: EntryKind): string | null {
  if ([...name].length > MAX_NAME_CHARS) return `has more than ${MAX_NAME_CHARS} characters`;
  if (name.includes('\\')) return 'holds a backslash';
  if (kind === 'agent' && name.includes('/')) return 'holds a slash';
  if (name.split('/').some((part) => part === '' || part.startsWith('.'))) {
    return 'has an empty part or one that starts with a dot';
  }
  return null;
}

function fallBack(frontmatter: Frontmatter, place: EntryPlace, warn: Warn): string {
  const text =
    place.kind === 'agent'
      ? (/\S[^\n]*/.exec(frontmatter.body)?.[0] ?? '').trim()
      : firstCharacters(frontmatter.body.trimStart(), FALLBACK_CHARS).trim();
  warn(
    'no description; the beginning of the text is used',
    'add a description that says what it does and when to use it',
  );
  return stripHidden(text).text;
}

/** The first `count` characters, where one beyond U+FFFF counts once and is never cut. */
function firstCharacters(text: string, count: number): string {
  // Twice the count holds them all, and spares spreading the whole body.
  return [...text.slice(0, count * 2)].slice(0, count).join('');
}

function shorten(key: string, text: string, warn: Warn, line?: number): string {
  if (text.length <= MAX_DESCRIPTION_CHARS) return text;
  warn(
    `${key} has ${text.length} characters; the first ${MAX_DESCRIPTION_CHARS} are kept`,
    'move the details into the body',
    line,
  );
  return firstCharacters(text, MAX_DESCRIPTION_CHARS);
}

/** A name that no consumer can bind: assigning it would reach a prototype. */
const UNBINDABLE = '__proto__';

function readArguments(field: Field | undefined, warn: Warn): EntryArgument[] {
  if (field === undefined || field.value === null) return [];
  const items =
    typeof field.value === 'string'
      ? field.value.split(/\s+/)
      : Array.isArray(field.value)
        ? field.value
        : undefined;
  if (items === undefined) {
    warn(
      `arguments is ${nameType(field.value)}; none are declared`,
      'write a list of names',
      field.line,
    );
    return [];
  }
  if (items.length > MAX_ARGUMENTS) {
    warn(
      `arguments has ${items.length} items; the first ${MAX_ARGUMENTS} are kept`,
      'declare fewer',
      field.line,
    );
  }
  const declared = new Map<string, EntryArgument>();
  for (const item of items.slice(0, MAX_ARGUMENTS)) {
    const argument = readArgument(item);
    if (argument === undefined) continue;
    const { name } = argument;
    if (!/^[a-z_][a-z0-9_]*$/.test(name) || name === UNBINDABLE || name.length > MAX_NAME_CHARS) {
      warn(
        `argument "${firstCharacters(name, 80)}" is left out: a name is lower-case letters, digits and _`,
        'rename the argument, here and in the text',
        field.line,
      );
    } else if (declared.has(name)) {
      warn(`argument "${name}" is declared twice; the first one counts`, 'remove one', field.line);
    } else {
      declared.set(name, argument);
    }
  }
  return [...declared.values()];
}

function readArgument(item: unknown): EntryArgument | undefined {
  if (item instanceof Map) {
    const name = textOf(item.get('name'));
    const description = textOf(item.get('description'));
    if (name === '') return undefined;
    return description === '' ? { name } : { name, description };
  }
  const name = textOf(item);
  return name === '' ? undefined : { name };
}

function textOf(value: unknown): string {
  const isPlain =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? stripHidden(String(value)).text.trim() : '';
}

function reportDeceptive(frontmatter: Frontmatter, warn: Warn): void {
  const at = findDeceptive(frontmatter.body);
  if (at < 0) return;
  const line = frontmatter.bodyLine + frontmatter.body.slice(0, at).split('\n').length - 1;
  warn(
    'the text holds NUL, direction-override or tag characters, which a reader does not see',
    'delete them, or do not trust this file',
    line,
  );
}
