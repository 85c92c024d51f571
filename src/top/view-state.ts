import { COLUMN_NAMES, FIRST_SORTS, type Sort, type TableName } from './columns.ts';

/** What a person has chosen to see; the tab, the cursors and the focus live in the document. */
export interface ViewState {
  readonly sorts: Readonly<Record<TableName, Sort>>;
  readonly filter: string;
  /** The filter's field is open for typing. */
  readonly isTyping: boolean;
  readonly isPaused: boolean;
  readonly isHelping: boolean;
  readonly hasMouse: boolean;
  /** The row that is shown in full. */
  readonly detail: { readonly table: TableName; readonly key: number | string } | null;
}

export const FIRST_VIEW: ViewState = {
  sorts: FIRST_SORTS,
  filter: '',
  isTyping: false,
  isPaused: false,
  isHelping: false,
  hasMouse: true,
  detail: null,
};

/** An action of the document, with what the document knows at that moment. */
export interface TopAction {
  readonly name: string;
  /** Id of the active tab. */
  readonly tab: string;
  /** The key of the cursor's row; null without one. */
  readonly key: number | string | null;
  /** An input's text; null for other actions. */
  readonly text: string | null;
}

/** What an action came to. */
export interface Reaction {
  readonly view: ViewState;
  /** Writes to the document beside the data: `@focus`, `tab`, `filter`. */
  readonly writes: Readonly<Record<string, string>>;
}

const TABLE_OF_TAB: Readonly<Record<string, TableName>> = {
  tab_sessions: 'sessions',
  tab_searches: 'searches',
  tab_index: 'catalogs',
  tab_problems: 'problems',
};

/** The id that takes the focus in each tab. */
const FOCUS_OF_TAB: Readonly<Record<string, string>> = { ...TABLE_OF_TAB, tab_log: 'log' };

/** Carry out one action. An action that nobody knows changes nothing. */
export function react(view: ViewState, action: TopAction): Reaction {
  const { name, tab } = action;
  const table = TABLE_OF_TAB[tab];
  const change = (
    change: Partial<ViewState>,
    writes: Readonly<Record<string, string>> = {},
  ): Reaction => ({ view: { ...view, ...change }, writes });
  const back = { '@focus': FOCUS_OF_TAB[tab] ?? 'sessions' };

  const [, column] = /^sort_[a-z]+_([a-z]+)$/.exec(name) ?? [];
  if (column !== undefined && table !== undefined) return change(sortBy(view, table, column));
  switch (name) {
    case 'sort_next':
      return table === undefined
        ? change({})
        : change(sortBy(view, table, columnAfter(view, table)));
    case 'sort_reverse':
      return table === undefined ? change({}) : change(sortBy(view, table, view.sorts[table].by));
    case 'open_detail':
      return table === undefined || action.key === null
        ? change({})
        : change({ detail: { table, key: action.key } });
    case 'close_detail':
      return change({ detail: null });
    case 'open_help':
      return change({ isHelping: true });
    case 'close_help':
      return change({ isHelping: false });
    case 'pause':
      return change({ isPaused: !view.isPaused });
    case 'toggle_mouse':
      return change({ hasMouse: !view.hasMouse });
    case 'follow_log':
      return change({}, { tab: 'tab_log', '@focus': 'log' });
    case 'start_filter':
      return change({ isTyping: true }, { '@focus': 'filter' });
    case 'filter_changed':
      return change({ filter: action.text ?? '' });
    case 'end_filter':
      return change({ isTyping: false }, back);
    case 'clear_filter':
      return change({ isTyping: false, filter: '' }, { filter: '', ...back });
    default:
      return change({});
  }
}

/** Sort by that column; by the one it is sorted by already: the other way round. */
function sortBy(view: ViewState, table: TableName, by: string): Partial<ViewState> {
  const { sorts } = view;
  if (!COLUMN_NAMES[table].includes(by)) return {};
  const isDescending = sorts[table].by === by ? !sorts[table].isDescending : false;
  return { sorts: { ...sorts, [table]: { by, isDescending } } };
}

function columnAfter(view: ViewState, table: TableName): string {
  const names = COLUMN_NAMES[table];
  return names[(names.indexOf(view.sorts[table].by) + 1) % names.length]!;
}
