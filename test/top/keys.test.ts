import { expect, test } from 'vitest';
import { createDashboard, showSnapshot } from '../../src/top/dashboard.ts';
import { loadTopDocument } from '../../src/top/document.ts';
import { HELP } from '../../src/top/help.ts';
import { NO_HISTORY } from '../../src/top/history.ts';
import { readAction } from '../../src/top/run.ts';
import { FIRST_VIEW, react, type ViewState } from '../../src/top/view-state.ts';
import { applyBatch, getPath } from '../../src/tui/index.ts';
import { applyStep, type Session, settle, startSession } from '../../src/tui/interact/play.ts';
import { parseStep } from '../../src/tui/steps/words.ts';
import { busySnapshot } from './fixture.ts';

const loaded = await loadTopDocument();

/** The dashboard as it runs, but for the terminal: keys go in, the view and the frame come out. */
function start(size = { cols: 120, rows: 30 }) {
  const who = { home: '/home/ada', ownPid: 1 };
  const app = createDashboard(loaded, busySnapshot(), who, size);
  let view: ViewState = FIRST_VIEW;
  const session: Session = startSession(app, (event) => {
    const reaction = react(view, readAction(app, event));
    view = reaction.view;
    applyBatch(app, (write) => {
      for (const [path, value] of Object.entries(reaction.writes)) write(path, value);
    });
    showSnapshot(app, busySnapshot(), view, { ...who, history: NO_HISTORY, log: [] });
  });
  return {
    get view() {
      return view;
    },
    get focus() {
      return app.state.focus;
    },
    get tab() {
      return getPath(app, 'tab');
    },
    get isOver() {
      return session.hasStopped;
    },
    get text() {
      const { canvas } = app.frame!;
      return canvas.text.join('');
    },
    press(...words: string[]) {
      for (const word of words) {
        const step = parseStep(word);
        if ('reason' in step) throw new Error(step.reason);
        expect(applyStep(session, step)).toBeNull();
        settle(session);
      }
      return this;
    },
  };
}

test('q quits, ctrl+c too', () => {
  expect(start().press('q').isOver).toBe(true);
  expect(start().press('ctrl+c').isOver).toBe(true);
});

test('numbers and tab go through the views, and the focus goes along', () => {
  const top = start();
  expect([top.tab, top.focus]).toEqual(['tab_sessions', 'sessions']);
  const seen = ['2', '3', '4', '5', 'tab', 'right', 'left', 'shift+tab'].map((key) => {
    top.press(key);
    return [top.tab, top.focus];
  });
  expect(seen).toEqual([
    ['tab_searches', 'searches'],
    ['tab_index', 'catalogs'],
    ['tab_problems', 'problems'],
    ['tab_log', 'log'],
    ['tab_sessions', 'sessions'],
    ['tab_searches', 'searches'],
    ['tab_sessions', 'sessions'],
    ['tab_log', 'log'],
  ]);
});

test('enter opens the row under the cursor, esc closes it where one was', () => {
  const top = start().press('down', 'enter');
  // Sorted by calls, most first: 900, 42, 7.
  expect(top.view.detail).toEqual({ table: 'sessions', key: 1 });
  expect(top.text).toContain('session 1');
  expect(top.focus).toBe('detail_body');
  top.press('esc');
  expect(top.view.detail).toBeNull();
  expect(top.focus).toBe('sessions');
});

test('keys of the views do nothing below a window', () => {
  const top = start().press('?', 's', '2', 'p');
  expect(top.view).toEqual({ ...FIRST_VIEW, isHelping: true });
  expect(top.tab).toBe('tab_sessions');
  expect(top.press('q').isOver).toBe(false);
  expect(top.view.isHelping).toBe(false);
});

test('/ filters while it is typed, enter keeps the filter, esc clears it', () => {
  const top = start().press('/');
  expect(top.focus).toBe('filter');
  top.press('text:cursor');
  expect(top.view.filter).toBe('cursor');
  expect(top.text).toContain('1 Sessions 1/3');
  top.press('enter');
  expect(top.focus).toBe('sessions');
  expect(top.view).toMatchObject({ filter: 'cursor', isTyping: false });
  top.press('esc');
  expect(top.view.filter).toBe('');
  expect(top.text).toContain('1 Sessions 3');
});

test('letters in the filter are text, not commands', () => {
  const top = start().press('/', 'text:quits?');
  expect(top.isOver).toBe(false);
  expect(top.view).toMatchObject({ filter: 'quits?', isHelping: false });
  expect(top.press('esc').focus).toBe('sessions');
});

test('s sorts by the next column, r the other way round', () => {
  const top = start().press('s');
  expect(top.view.sorts.sessions).toEqual({ by: 'age', isDescending: false });
  top.press('r');
  expect(top.view.sorts.sessions).toEqual({ by: 'age', isDescending: true });
  top.press('2', 's');
  expect(top.view.sorts.searches).toEqual({ by: 'query', isDescending: false });
  expect(top.view.sorts.sessions.by).toBe('age');
});

test('the cursor stays on its row when the order changes', () => {
  const top = start().press('down', 's', 'enter');
  expect(top.view.detail).toEqual({ table: 'sessions', key: 1 });
});

test('a click on a title sorts by it', () => {
  const top = start();
  const at = top.text.indexOf('CALLS');
  top.press(`click:${at % 120},${Math.floor(at / 120)}`);
  expect(top.view.sorts.sessions).toEqual({ by: 'calls', isDescending: false });
});

test('m gives the mouse back to the terminal', () => {
  const top = start().press('m');
  const at = top.text.indexOf('CALLS');
  top.press(`click:${at % 120},${Math.floor(at / 120)}`);
  expect(top.view.sorts).toBe(FIRST_VIEW.sorts);
});

test('l goes to the log, p pauses and goes on', () => {
  const top = start().press('l');
  expect([top.tab, top.focus]).toEqual(['tab_log', 'log']);
  expect(top.press('p').view.isPaused).toBe(true);
  expect(top.text).toContain('paused');
  expect(top.press('p').view.isPaused).toBe(false);
});

test('every key of the keymap that a person would look for is in the help', () => {
  const words = HELP.flatMap(({ keys, what }) => [...keys.split(' '), ...what.split(/[ ,;]+/)]);
  for (const row of loaded.document.keymap.filter((it) => Boolean(it.label))) {
    if (row.label === 'close' || row.label === 'clear the filter') continue;
    expect(words, row.label ?? '').toContain(row.keys[0]);
  }
});

test('an action that nobody knows changes nothing', () => {
  const action = { name: 'sort_sessions_nothing', tab: 'tab_sessions', key: null, text: null };
  expect(react(FIRST_VIEW, action).view).toEqual(FIRST_VIEW);
  expect(react(FIRST_VIEW, { ...action, name: 'dance' })).toEqual({ view: FIRST_VIEW, writes: {} });
});
