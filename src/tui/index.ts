/**
 * The door of the terminal views: load a document, run it, look at its frames. The commands and the
 * MCP surface are built on these names; everything else in this folder is theirs alone.
 */
export { dumpFrame } from './dump/dump.ts';
export { dumpText } from './dump/text.ts';
export type { Frame } from './frame/frame.ts';
export { inspectFrame } from './inspect/inspect.ts';
export { inspectText } from './inspect/text.ts';
export { type App, createApp } from './interact/app.ts';
export { applyBatch, getPath } from './interact/batch.ts';
export { runPlay } from './interact/play.ts';
export { type LoadedDocument, loadDocument } from './language/load.ts';
export { parseDocument } from './language/parse.ts';
