const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const PART = /([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/y;

/** A Go duration such as `5s` or `1m30s` in milliseconds, or `null`. */
export function parseDuration(text: string): number | null {
  const body = text.replace(/^[+-]/, '');
  if (body === '0') return 0;
  let total = 0;
  let at = 0;
  while (at < body.length) {
    PART.lastIndex = at;
    const match = PART.exec(body);
    if (match === null) return null;
    total += Number(match[1]) * UNITS.get(match[2]!)!;
    at = PART.lastIndex;
  }
  if (body === '') return null;
  return text.startsWith('-') ? -total : total;
}
