import { diagnosticText } from '../diagnostics/print.ts';
import type { Frame } from '../frame/frame.ts';
import { stringWidth } from '../text/graphemes.ts';
import { type DumpNode, dumpNode, gridRows } from './dump.ts';

/** The text form of a frame (G-184). */
export function dumpText(frame: Frame): string {
  const nodes = frame.scene.boxes.map((box) => dumpNode(frame, box));
  const lines = [`=== grid ${frame.cols}x${frame.rows} ===`, ...gridRows(frame), '=== nodes ==='];
  let idWidth = 1;
  let tagWidth = 0;
  for (const node of nodes) {
    idWidth = Math.max(idWidth, stringWidth(node.id ?? '-'));
    tagWidth = Math.max(tagWidth, node.tag.length);
  }
  for (const node of nodes) lines.push(nodeLine(node, idWidth, tagWidth));
  lines.push('=== errors ===');
  if (frame.diagnostics.length === 0) lines.push('ok');
  for (const found of frame.diagnostics) lines.push(diagnosticText(found));
  return `${lines.join('\n')}\n`;
}

/** One node line, id and tag padded to the given widths (U-154). */
export function nodeLine(node: DumpNode, idWidth = 0, tagWidth = 0): string {
  const id = (node.id ?? '-').padEnd(idWidth);
  const flags = [
    node.focused && ' focus',
    node.selected && ' selected',
    node.checked && ' checked',
    node.clipped && ' clipped',
  ];
  const place = `${node.w}x${node.h} @(${node.x},${node.y})`;
  return `${id}  ${node.tag.padEnd(tagWidth)}  ${place}${flags.filter(Boolean).join('')}`;
}
