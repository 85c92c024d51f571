import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackName } from '../../src/core/listen-address.ts';
import { isSameSecret } from '../same-secret.ts';

/** Why a request is turned away, as it is answered. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/**
 * Refuse requests that a web page caused. A page can make a browser connect to
 * this machine under a name of its own (DNS rebinding), but neither forge the
 * Host header nor leave out Origin.
 *
 * @returns undefined when nothing speaks against the request
 */
export function judgeOrigin(headers: IncomingHttpHeaders): Refusal | undefined {
  if (!isLoopbackHost(headers.host)) {
    return { status: 403, message: 'the Host header names no loopback address' };
  }
  const { origin } = headers;
  if (origin !== undefined && !isLoopbackHost(/^https?:\/\/([^/]*)$/i.exec(origin)?.[1])) {
    return { status: 403, message: 'requests from web pages are not answered' };
  }
  return undefined;
}

/**
 * Every user of the machine can connect to a loopback port, so whoever asks
 * shows the token (RFC 6750).
 */
export function judgeToken(headers: IncomingHttpHeaders, token: string): Refusal | undefined {
  const given = /^Bearer +([^ ]+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (given !== undefined && isSameSecret(given, token)) return undefined;
  return {
    status: 401,
    message: 'the token is missing or wrong; `lectern daemon status` names its file',
    headers: { 'www-authenticate': 'Bearer realm="lectern"' },
  };
}

function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1];
  return name !== undefined && isLoopbackName(name);
}
