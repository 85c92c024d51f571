import { quote } from '../diagnostics/quote.ts';
import type { ColorValue } from './types.ts';

const ANSI = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const NAMES = new Set([...ANSI, ...ANSI.map((name) => `bright-${name}`), 'default']);

const TOKEN_NAME = /^[A-Za-z_-][A-Za-z0-9_-]*$/;

export function isTokenName(name: string): boolean {
  return TOKEN_NAME.test(name);
}

/** Canonical text of a literal colour (G-037, G-038), or null. */
export function parseLiteralColor(text: string): string | null {
  if (NAMES.has(text)) return text;
  if (/^#[0-9A-Fa-f]{6}$/.test(text)) return text.toLowerCase();
  if (/^#[0-9A-Fa-f]{3}$/.test(text)) {
    return `#${[...text.slice(1).toLowerCase()].map((digit) => digit + digit).join('')}`;
  }
  return null;
}

/** A colour or a token reference (U-114). */
export function parseColor(text: string): { value: ColorValue } | { error: string } {
  const reference = tokenReference(text);
  if (reference !== null) {
    if (!isTokenName(reference)) return { error: `bad token reference ${quote(text)}` };
    return { value: { token: reference } };
  }
  const color = parseLiteralColor(text);
  return color === null ? { error: badColor(text) } : { value: { color } };
}

export function badColor(text: string): string {
  return `bad color ${quote(text)} (want $token, var(--token), an ANSI name, #rgb, #rrggbb, or default)`;
}

function tokenReference(text: string): string | null {
  if (text.startsWith('$')) return text.slice(1);
  if (!text.startsWith('var(')) return null;
  return text.startsWith('var(--') && text.endsWith(')') ? text.slice(6, -1).trim() : '';
}
