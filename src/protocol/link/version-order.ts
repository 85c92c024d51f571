/**
 * Whether version `a` is newer than `b`: dotted numbers, then a prerelease
 * counts as older than its release. Unreadable versions are never newer, so
 * that a development build never retires a release.
 */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined || right === undefined) return false;
  for (let at = 0; at < 3; at += 1) {
    const difference = left.numbers[at]! - right.numbers[at]!;
    if (difference !== 0) return difference > 0;
  }
  if (left.prerelease === right.prerelease) return false;
  if (left.prerelease === '') return true;
  if (right.prerelease === '') return false;
  return left.prerelease.localeCompare(right.prerelease, 'en', { numeric: true }) > 0;
}

function parse(version: string): { numbers: number[]; prerelease: string } | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?/.exec(version);
  if (match === null) return undefined;
  return { numbers: [1, 2, 3].map((group) => Number(match[group])), prerelease: match[4] ?? '' };
}
