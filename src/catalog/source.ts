import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';

/** What somebody who enrols a catalog names (library contract 3.1, design 14). */
export type CatalogSource =
  | {
      kind: 'git';
      /** As given, credentials and all: for git only, never stored or shown. */
      url: string;
      /** What is stored, shown and hashed: usable, without credentials. */
      publicUrl: string;
      /** Default display name. */
      name: string;
    }
  | {
      kind: 'directory';
      /** Absolute, not yet canonical. */
      path: string;
      name: string;
    };

const HOSTS: Readonly<Record<string, string>> = {
  gh: 'https://github.com',
  gl: 'https://gitlab.com',
  bb: 'https://bitbucket.org',
};

/**
 * Tell a git URL from a directory, by the table of library contract 3.1 from
 * top to bottom. A path is enrolled in place (design 1); an explicit `file://`
 * URL is cloned.
 *
 * @param cwd what a relative path is relative to
 */
export function parseSource(input: string, cwd: string): CatalogSource {
  const source = input.trim();
  if (/^(?:https?|file|ssh|git):\/\//.test(source) || source.startsWith('git@'))
    return gitSource(source);
  const short = /^(gh|gl|bb):([A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+)$/.exec(source);
  if (short !== null) return gitSource(`${HOSTS[short[1]!]}/${short[2]}`);
  if (/^[A-Za-z0-9_-][A-Za-z0-9_.-]*\/[A-Za-z0-9_.-]+$/.test(source)) {
    return gitSource(`${HOSTS['gh']}/${source}`);
  }
  const path = resolve(cwd, source);
  return { kind: 'directory', path, name: basename(path) || 'root' };
}

function gitSource(url: string): CatalogSource {
  const publicUrl = scrubUrl(url);
  return { kind: 'git', url, publicUrl, name: nameFromUrl(publicUrl) };
}

/** The last part of a URL without `.git`: what people call the repository. */
export function nameFromUrl(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/[/\\]+$/, '');
  const last = path.split(/[/\\:]/).at(-1) ?? '';
  return last.replace(/\.git$/, '') || 'catalog';
}

/**
 * A URL without credentials. Userinfo goes; an ssh user name stays, because
 * it is part of the address and no secret. `git@host:path` is returned as it
 * is: it holds none, and masking its host would make it useless (contract 3.1).
 */
export function scrubUrl(url: string): string {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)(.*)$/s.exec(url);
  if (match === null) return url;
  const [, scheme = '', rest = ''] = match;
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  // A password with a bare "/" is no valid URL, but must not be shown for that.
  const at = authority.includes('@') ? authority.lastIndexOf('@') : lostAt(authority, rest);
  if (at < 0) return url;
  const user = /^ssh:/i.test(scheme) ? /^[^:@/?#]*/.exec(rest)?.[0] : undefined;
  return `${scheme}${user ? `${user}@` : ''}${rest.slice(at + 1)}`;
}

/** Where the userinfo ends if the "host" before the first slash is `user:password`, else -1. */
function lostAt(authority: string, rest: string): number {
  const port = /:(.*)$/.exec(authority)?.[1];
  return port === undefined || /^\d*$/.test(port) || authority.startsWith('[')
    ? -1
    : rest.lastIndexOf('@');
}

/** Any text without the userinfo of the URLs in it: for messages of other programs. */
export function scrubText(text: string): string {
  return text.replace(/([A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/)[^\s/'"@]*(?::[^\s'"@]*)?@/g, '$1');
}

/** Name of the clone of a URL below the state root: SHA-256 hex of its public form. */
export function catalogKey(url: string): string {
  return createHash('sha256').update(scrubUrl(url)).digest('hex');
}
