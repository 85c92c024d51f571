import { VERSION } from '../../core/version.ts';
import { parseFlags } from '../commands/flags.ts';
import type { TuiIo } from '../commands/io.ts';
import { readInputs, themeFlag } from '../commands/options.ts';
import { fail, ToolFailure } from '../commands/result.ts';
import type { JsonObject, JsonValue } from '../data/value.ts';
import { diagnosticMembers } from '../diagnostics/print.ts';
import { quote } from '../diagnostics/quote.ts';
import { type App, createApp } from '../interact/app.ts';
import { applyBatch, getPath } from '../interact/batch.ts';
import { setPath } from '../interact/set.ts';
import { compactJson, type Printable, sortMembers } from '../json/print.ts';
import { actionCatalog } from '../language/actions.ts';
import {
  descriptorFault,
  FROM_PARENT,
  openParentWriter,
  parentLines,
  TO_PARENT,
} from './channel.ts';
import { parseDuration } from './duration.ts';
import { type HostMessage, type HostWrite, readHostMessage } from './host-messages.ts';
import { chosenDepth } from './options.ts';
import { exitCodeOf, type LiveSession, runOnTerminal } from './session.ts';

const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 60_000;

/** `host FILE` (U-176 … U-179). */
export async function runHost(words: readonly string[], io: TuiIo): Promise<number> {
  const flags = parseFlags('host', words);
  const { app, timeoutMs } = await prefixed(async () => {
    const { positionals } = flags;
    if (process.platform === 'win32') fail('not available on Windows');
    if (positionals.length !== 1) fail(`want exactly one FILE, got ${positionals.length}`);
    const timeoutMs = readTimeout(flags.strings.get('reply-timeout') ?? '5s');
    themeFlag(flags);
    const fault = descriptorFault(FROM_PARENT, 'read') ?? descriptorFault(TO_PARENT, 'write');
    if (fault !== null) fail(fault);
    const { loaded, data, theme } = await readInputs(io.files, positionals[0]!, flags);
    const app = createApp({ loaded, data, theme, strict: false, cols: 80, rows: 24 });
    return { app, timeoutMs };
  });
  const conversation = new Conversation(app, timeoutMs);
  const depth = chosenDepth(flags, io.env, io.stdout.isTTY === true);
  const ending = await runOnTerminal(
    app,
    io,
    depth,
    (event) => conversation.tell(event),
    (live) => conversation.start(live),
  );
  const signal = ending.reason === 'signal' ? ending.signal : undefined;
  const error = ending.reason === 'error' ? ending.error : undefined;
  await conversation.finish({ type: 'exit', reason: ending.reason, signal, error });
  return exitCodeOf(ending);
}

/** Errors before the session carry the command's name once (U-176). */
async function prefixed<T>(part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    throw new ToolFailure(error.stderr.replace(/^tuimark: /, 'tuimark: host: '));
  }
}

function readTimeout(text: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms >= MIN_TIMEOUT_MS && ms <= MAX_TIMEOUT_MS) return ms;
  fail(`--reply-timeout must be a duration from 100ms to 1m (got ${quote(text)})`);
}

interface HostEvent {
  readonly action: string;
  readonly source: string;
  readonly keys: ReadonlyMap<string, JsonValue>;
  readonly value: JsonValue;
}

type EventState = NodeJS.Timeout | 'answered' | 'late';

/** What the parent and the session say to each other (U-177, U-178). */
class Conversation {
  readonly #app: App;
  readonly #timeoutMs: number;
  readonly #writer = openParentWriter((reason) => this.#end({ reason: 'error', error: reason }));
  /** Messages before `ready`, which is always the first one. */
  #early: Printable[] | null = [];
  #live: LiveSession | null = null;
  #seq = 0;
  readonly #events = new Map<bigint, EventState>();

  constructor(app: App, timeoutMs: number) {
    this.#app = app;
    this.#timeoutMs = timeoutMs;
  }

  start(live: LiveSession): void {
    this.#live = live;
    const { document, frame, cols, rows } = this.#app;
    this.#write({
      type: 'ready',
      protocol: 1,
      version: VERSION,
      cols,
      rows,
      theme: frame?.theme ?? 'dark',
      catalog: actionCatalog(document).map(({ name, builtin, sources }) => ({
        name,
        builtin,
        sources,
      })),
      diagnostics: (frame?.diagnostics ?? []).map(diagnosticMembers),
    });
    const early = this.#early ?? [];
    this.#early = null;
    for (const message of early) this.#write(message);
    void this.#listen();
  }

  /** An action fired: the parent has some time to answer. */
  tell({ action, source, keys, value }: HostEvent): void {
    const seq = ++this.#seq;
    const sorted = sortMembers(new Map(keys) as JsonObject);
    this.#say({ type: 'event', seq, action, source, keys: sorted, value });
    const key = BigInt(seq);
    const timer = setTimeout(() => {
      this.#events.set(key, 'late');
      this.#say({ type: 'error', seq, error: 'reply timeout' });
    }, this.#timeoutMs);
    this.#events.set(key, timer);
  }

  async finish(exit: Printable): Promise<void> {
    for (const state of this.#events.values()) if (typeof state !== 'string') clearTimeout(state);
    this.#write(exit);
    await this.#writer.finish();
  }

  #say(message: Printable): void {
    if (this.#early !== null) this.#early.push(message);
    else this.#write(message);
  }

  #write(message: Printable): void {
    this.#writer.send(compactJson(message));
  }

  #end(ending: Parameters<LiveSession['end']>[0]): void {
    this.#live?.end(ending);
  }

  async #listen(): Promise<void> {
    try {
      for await (const line of parentLines()) if (line.trim() !== '') this.#hear(line);
      this.#end({ reason: 'eof' });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#end({ reason: 'error', error: reason });
    }
  }

  #hear(line: string): void {
    const message = readHostMessage(line);
    if ('error' in message && !('kind' in message)) {
      this.#answer(message.id, message.error, null);
      return;
    }
    switch (message.kind) {
      case 'write':
        this.#answer(message.id, this.#apply(message.writes), null);
        return;
      case 'get':
        this.#tellValue(message.id!, message.path);
        return;
      case 'reply':
        this.#settleReply(message);
    }
  }

  /** Acknowledge a message with an id; without one only failures are told (U-178). */
  #answer(id: string | null, error: string | null, seqText: string | null): void {
    const tail = error === null ? '' : `,"error":${compactJson(error)}`;
    if (id !== null) {
      this.#writer.send(`{"type":"ack","id":${id},"ok":${error === null}${tail}}`);
    } else if (error !== null) {
      const seq = seqText === null ? '' : `"seq":${seqText},`;
      this.#writer.send(`{"type":"error",${seq}"error":${compactJson(error)}}`);
    }
  }

  /** All writes or none; one redraw (G-142). */
  #apply(writes: readonly HostWrite[]): string | null {
    const error = this.#writeAll(writes);
    if (error !== null) return error;
    this.#live?.refresh();
    return null;
  }

  #writeAll(writes: readonly HostWrite[]): string | null {
    const [first] = writes;
    // One write cannot be half applied, so it needs no trial on a copy of the store.
    if (first && writes.length === 1) return setPath(this.#app, first.path, first.value);
    const errors = applyBatch(this.#app, (write) => {
      for (const { path, value } of writes) write(path, value);
    });
    return errors.length > 0 ? errors.join('\n') : null;
  }

  #tellValue(id: string, path: string): void {
    const value = getPath(this.#app, path);
    const found = value !== undefined;
    const tail = found ? `,"value":${compactJson(sortMembers(value))}` : '';
    this.#writer.send(`{"type":"ack","id":${id},"ok":true,"found":${found}${tail}}`);
  }

  #settleReply({ id, seq, seqText, quit, error }: HostMessage & { kind: 'reply' }): void {
    const state = this.#events.get(seq);
    const refusal = refusalOf(state);
    this.#answer(id, refusal, seqText);
    if (refusal !== null) return;
    clearTimeout(state as NodeJS.Timeout);
    this.#events.set(seq, 'answered');
    if (error !== null) this.#end({ reason: 'error', error });
    else if (quit) this.#end({ reason: 'quit' });
  }
}

/** Why an event cannot be answered, or `null` (U-178). */
function refusalOf(state: EventState | undefined): string | null {
  if (state === undefined) return 'no event with this seq';
  if (state === 'answered') return 'event already answered';
  return state === 'late' ? 'reply after the reply timeout' : null;
}
