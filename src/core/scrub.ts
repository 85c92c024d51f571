/**
 * Takes credentials out of text bound for a log or an error message (library
 * contract 12): URL userinfo, token-like pairs, signed query parameters, known
 * provider keys, and long hex strings that no key explains. Every pattern is
 * linear; nothing here backtracks over hostile input.
 */

const HIDDEN = '***';

/** `https://user:secret@host` keeps its host. */
const USERINFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>\\]{1,500}@/gi;

/** `token=…`, `"api_key":"…"`, `Authorization: Bearer …`. */
const PAIR =
  /((?:\\?["'])?\b[\w-]{0,40}(?:token|secret|passw(?:or)?d|api[_-]?key|apikey|credential|authorization)\b(?:\\?["'])?\s{0,3}[:=]\s{0,3}(?:\\?["'])?(?:bearer |basic )?)[^\s"'&,;}\\]{1,4000}/gi;

/** Query parameters by which clouds sign a URL. */
const SIGNED =
  /([?&](?:x-amz-[\w-]{1,40}|x-goog-[\w-]{1,40}|sig|signature|sv|se|key|access_token)=)[^\s&"'\\]{1,4000}/gi;

/** Keys that providers mark by prefix. */
const PROVIDER_KEY =
  /\b(?:sk-[\w-]{16,200}|pk-[\w-]{16,200}|gh[pousr]_\w{16,255}|github_pat_\w{16,255}|glpat-[\w-]{16,100}|xox[abprs]-[\w-]{10,200}|AIza[\w-]{30,60}|AKIA[A-Z0-9]{16}|pa-[\w-]{20,100}|npm_\w{30,50}|hf_\w{20,60})/g;

/** 32 and more hex digits standing alone: a key more often than a digest. */
const BARE_HEX = /(?<![\w:="'/.-])[0-9a-f]{32,512}(?![\w])/gi;

/** The same text without what looks like a credential. */
export function scrub(text: string): string {
  return text
    .replace(USERINFO, `$1${HIDDEN}@`)
    .replace(SIGNED, `$1${HIDDEN}`)
    .replace(PAIR, `$1${HIDDEN}`)
    .replace(PROVIDER_KEY, HIDDEN)
    .replace(BARE_HEX, HIDDEN);
}
