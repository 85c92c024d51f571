/** One measured number beside its budget. */
export interface Measurement {
  what: string;
  value: number;
  unit: 'ms' | 's' | '×' | 'MB' | 'errors' | 'queries/s' | '%';
  /** At most, or at least; without one the number is only reported. */
  most?: number;
  least?: number;
}

/** The `share` quantile of unsorted values (nearest rank), 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[at] ?? 0;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The straight line through points by least squares: its slope, and its height at an x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): {
  slope: number;
  at(x: number): number;
} {
  const mean = (values: number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / (spread || 1);
  return { slope, at: (x) => meanY + slope * (x - meanX) };
}

export function isOverBudget({ value, most, least }: Measurement): boolean {
  return (most !== undefined && !(value <= most)) || (least !== undefined && !(value >= least));
}

/** Digits that say something at this size. */
function show(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** One line: what, measured, budget, verdict. */
export function formatMeasurement(measurement: Measurement, row: string): string {
  const { what, value, unit, most, least } = measurement;
  const budget =
    most !== undefined
      ? `≤ ${show(most)} ${unit}`
      : least !== undefined
        ? `≥ ${show(least)} ${unit}`
        : 'reported';
  const verdict =
    most === undefined && least === undefined ? '' : isOverBudget(measurement) ? 'OVER' : 'ok';
  return `${row.padEnd(8)} ${what.padEnd(58)} ${`${show(value)} ${unit}`.padStart(14)}   ${budget.padEnd(16)} ${verdict}`.trimEnd();
}

/** The last line: rows over budget by name, or that there are none. */
export function formatVerdict(
  rows: readonly { row: string; measurements: Measurement[] }[],
): string {
  const over = rows.filter(({ measurements }) => measurements.some(isOverBudget));
  return over.length === 0
    ? 'rows over budget: none'
    : `rows over budget: ${over.map(({ row }) => row).join(', ')}`;
}
