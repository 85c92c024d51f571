import { readFile, stat } from 'node:fs/promises';
import type { ServiceRecipe } from './plan.ts';

/** The bytes of the service's file; undefined when there is none, or something else in its place. */
export async function readServiceBytes(
  recipe: Pick<ServiceRecipe, 'file'>,
): Promise<Buffer | undefined> {
  const there = await stat(recipe.file).catch(() => undefined);
  // Reading a pipe waits for ever.
  if (there?.isFile() !== true) return undefined;
  return readFile(recipe.file).catch(() => undefined);
}

/** The text of the service's file as a recipe has it; undefined when there is none. */
export async function readServiceFile(
  recipe: Pick<ServiceRecipe, 'file' | 'encoding'>,
): Promise<string | undefined> {
  const bytes = await readServiceBytes(recipe);
  if (recipe.encoding === 'utf8') return bytes?.toString('utf8');
  return bytes
    ?.toString('utf16le')
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n');
}

/** The bytes of a service's file, for its text. */
export function encodeServiceFile(text: string, { encoding }: ServiceRecipe): string | Buffer {
  if (encoding === 'utf8') return text;
  return Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le');
}
