import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';

/** 256 bits, as base64url: nobody guesses it over a loopback socket. */
const TOKEN_BYTES = 32;

/** A shorter one was cut off or typed by hand. */
const LEAST_CHARACTERS = 32;

/**
 * The token of HTTP clients, made when there is none. It outlives daemons,
 * because people put it into the configuration of their agent hosts; deleting
 * the file makes a new one.
 *
 * @throws the file system's error when it can neither be read nor made
 */
export function ensureHttpToken(path: string): string {
  const known = readHttpToken(path);
  if (known !== undefined) return known;
  rmSync(path, { force: true });
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  writeFileAtomic.sync(path, `${token}\n`, { mode: 0o600 });
  return token;
}

/** Undefined for what is no plain file of ours, or holds no usable token. */
function readHttpToken(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return undefined;
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  const token = readFileSync(path, 'utf8').trim();
  return token.length >= LEAST_CHARACTERS && /^[\w~+/=.-]+$/.test(token) ? token : undefined;
}
