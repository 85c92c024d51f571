/** Columns of a grid whose content is `width` wide (G-073 step 1). */
export function gridColumnCount(
  style: { readonly gridColumns: number; readonly gridMinWidth: number | null },
  width: number,
  gap: number,
): number {
  const { gridColumns: most, gridMinWidth: min } = style;
  if (min === null) return most;
  return Math.min(most, Math.max(1, Math.floor((width + gap) / (min + gap))));
}

/** Their widths: equal, the last one takes the rest (G-073 step 2). */
export function gridColumnWidths(columns: number, width: number, gap: number): number[] {
  const remain = Math.max(0, width - gap * (columns - 1));
  const each = Math.floor(remain / columns);
  const widths: number[] = new Array(columns).fill(each);
  widths[columns - 1] = remain - each * (columns - 1);
  return widths;
}
