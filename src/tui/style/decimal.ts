import type { Decimal } from './types.ts';

/** Longest literal accepted (G-040): keeps BigInt arithmetic bounded. */
export const MAX_LITERAL = 1000;

/** Sizes never exceed this (G-042), so that sums of many of them stay exact doubles. */
export const MAX_CELLS = 2 ** 40;

/** Whole numbers below this times a size below 2^32 stay below 2^53: plain arithmetic is exact. */
const SMALL = 2 ** 20;
const SMALL_BASE = 2 ** 32;

/**
 * Reads digits with at most one inner point (G-040).
 *
 * @returns null when the text is not such a literal; its length is not checked here
 */
export function parseDecimal(text: string): Decimal | null {
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return null;
  const whole = match[1]!.replace(/^0+(?=[0-9])/, '');
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  const digits = BigInt(whole + fraction);
  const small = fraction === '' && whole.length <= 7 && Number(whole) < SMALL ? Number(whole) : -1;
  return {
    literal: fraction === '' ? whole : `${whole}.${fraction}`,
    digits,
    scale: fraction.length,
    small,
  };
}

/** True when the literal has no fraction left, so that it can count cells. */
export function isWhole(amount: Decimal): boolean {
  return amount.scale === 0;
}

export function isZero(amount: Decimal): boolean {
  return amount.digits === 0n;
}

/** A whole literal as cells, capped at 2^40 (G-042). */
export function toCells(amount: Decimal): number {
  if (amount.small >= 0) return amount.small;
  return amount.digits > BigInt(MAX_CELLS) ? MAX_CELLS : Number(amount.digits);
}

/** floor(base × p / 100), 0 when base ≤ 0, capped at 2^40 (G-042, G-043). */
export function percentOf(base: number, p: Decimal): number {
  if (base <= 0) return 0;
  if (p.small >= 0 && base < SMALL_BASE) {
    return Math.min(MAX_CELLS, Math.floor((base * p.small) / 100));
  }
  const cells = (BigInt(base) * p.digits) / (100n * 10n ** BigInt(p.scale));
  return cells > BigInt(MAX_CELLS) ? MAX_CELLS : Number(cells);
}

/**
 * Shares `remain` cells by weight: every share but the last is floored, the last takes what is left
 * (G-044). A zero sum gives everything to the last.
 */
export function splitByWeight(remain: number, weights: readonly Decimal[]): number[] {
  const last = weights.length - 1;
  if (last < 0) return [];
  let left = remain;
  const shares: number[] = [];
  const floors = flooredShares(remain, weights);
  for (let i = 0; i < last; i++) {
    const share = floors[i]!;
    shares.push(share);
    left -= share;
  }
  shares.push(left);
  return shares;
}

function flooredShares(remain: number, weights: readonly Decimal[]): number[] {
  const small = weights.every((w) => w.small >= 0);
  const sum = small ? weights.reduce((total, w) => total + w.small, 0) : 0;
  if (small && sum < SMALL && remain < SMALL_BASE) {
    return weights.map((w) => (sum === 0 ? 0 : Math.floor((remain * w.small) / sum)));
  }
  const scale = weights.reduce((most, w) => Math.max(most, w.scale), 0);
  const scaled = weights.map((w) => w.digits * 10n ** BigInt(scale - w.scale));
  const total = scaled.reduce((a, b) => a + b, 0n);
  return scaled.map((w) => (total === 0n ? 0 : Number((BigInt(remain) * w) / total)));
}
