import { expect, test } from 'vitest';
import { PLAIN } from '../../src/cli/paint.ts';
import {
  formatAddedCatalog,
  formatCatalogs,
  formatRemovedCatalog,
  formatUpdates,
} from '../../src/cli/print/catalogs.ts';
import { formatLogLine, isAtLevel } from '../../src/cli/print/daemon.ts';
import { formatEntryAnswer } from '../../src/cli/print/entry.ts';
import { formatExplained } from '../../src/cli/print/explain.ts';
import { formatPluginChanges, formatPlugins } from '../../src/cli/print/plugins.ts';
import { formatProblems } from '../../src/cli/print/problems.ts';
import { formatQuery, getCommandFor, nextAfterQuery } from '../../src/cli/print/query.ts';
import { exitCodeOfVerdict, nextStepOf } from '../../src/cli/print/status.ts';
import { formatWorkspaces } from '../../src/cli/print/workspaces.ts';
import { screenSafe } from '../../src/cli/text.ts';

const look = { paint: PLAIN, width: 80, nowMs: Date.parse('2026-01-05T10:00:00Z') };
const entries = { found: 3, loaded: 3, dropped: 0 };

test('catalog add says where it is read, what was found and what could not be loaded', () => {
  const text = formatAddedCatalog(
    {
      added: { name: 'orchard', url: 'file:///home/ana/my fruit', ref: 'main', plugin_count: 2 },
      in_place: true,
      format: 'folder',
      entries: { found: 3, loaded: 2, dropped: 1 },
      external: [{ name: 'far', source: 'github:x/y' }],
      problems: [{ severity: 'error', file: '/x', message: 'no name' }],
      enabled: [],
    },
    look,
  );
  expect(text).toBe(
    [
      'added orchard: 2 plugins, 2 of 3 entries',
      '  read in place from /home/ana/my fruit',
      '  1 plugin of the manifest lives elsewhere and was not fetched',
      '  1 error, listed by: lectern problems orchard',
    ].join('\n'),
  );
});

test('L-041 a listing of no catalogs prints nothing', () => {
  expect(formatCatalogs([], look)).toBe('');
});

test('catalog list shows age for clones, live for directories, missing for what is gone', () => {
  const row = { name: 'a', url: 'https://h/a', ref: 'main', plugin_count: 1, entries };
  const [, clone, place, gone] = formatCatalogs(
    [
      { ...row, last_synced: '2026-01-05T09:00:00Z' },
      { ...row, url: 'file:///srv/b', in_place: true, last_synced: '2026-01-05T09:00:00Z' },
      row,
    ],
    look,
  ).split('\n');
  expect(clone).toMatch(/1 h ago\s+https:\/\/h\/a @ main$/);
  expect(place).toMatch(/live\s+\/srv\/b$/);
  expect(gone).toMatch(/missing/);
});

test('an update is told in a line a catalog and one for each plugin that changed; --verbose tells the others', () => {
  const answer = {
    records: [
      { pinned: { name: 'a', ref: '0123abc' } },
      { refreshed: { name: 'b', ref: 'main', plugin_count: 1, advanced_commits: 3 } },
      { plugin_change: { catalog: 'b', plugin: 'p', skills_added: 1, skills_unchanged: 4 } },
      {
        plugin_change: { catalog: 'b', plugin: 'q', auto_disabled_reason: 'its directory is gone' },
      },
      { refreshed: { name: 'c', ref: 'main', plugin_count: 2, advanced_commits: null } },
      { plugin_change: { catalog: 'c', plugin: 'same', skills_unchanged: 7 } },
    ],
    failures: [],
    in_place: [{ catalog: 'c', directory: '/srv/c' }],
  };
  expect(formatUpdates(answer, look, false).split('\n')).toEqual([
    'a is pinned at 0123abc; nothing was fetched',
    'refreshed b (main): 1 plugin, 3 new commits, entries: 1 added',
    '  b/p: 1 added, 4 unchanged',
    '  disabled b/q: its directory is gone',
    'read again c (/srv/c): 2 plugins, no entry changed',
  ]);
  expect(formatUpdates(answer, look, true)).toContain('  c/same: 7 unchanged');
});

test('a removal sums up the plugins it disabled; --verbose names them', () => {
  const answer = {
    removed: {
      name: 'a',
      url: 'file:///a',
      cache_path: '/a',
      cascade: [
        { plugin: 'p', skills_dropped: 1 },
        { plugin: 'q', skills_dropped: 2 },
      ],
    },
    deleted: false,
  };
  const summary = 'removed a; /a was left as it is\n  disabled 2 plugins with 3 entries';
  expect(formatRemovedCatalog(answer, look, false)).toBe(summary);
  expect(formatRemovedCatalog(answer, look, true)).toBe(
    `${summary}\n    p (1 entry)\n    q (2 entries)`,
  );
});

test('plugin list fits 80 columns and keeps both ends of a long id; a pipe gets it whole', () => {
  const row = {
    id: { catalog: 'claude-code-workflows', plugin: 'accessibility-compliance-and-more-words' },
    version: '1.2.3',
    author: null,
    description: 'Audit pages. '.repeat(20),
    last_upstream_change: null,
    status: 'disabled' as const,
    component_counts: { skills: 12, agents: 3, commands: 4, hooks: 0, mcp_servers: 0 },
    last_indexed_at: null,
  };
  const shown = formatPlugins([row], look);
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(shown).toMatch(/claude-code.*….*and-more-words {2}disabled {7}19/);
  expect(formatPlugins([row], { ...look, tableWidth: Infinity })).not.toContain('…');
});

test('catalog list cuts a long source in its middle, so that rows stay apart', () => {
  const deep = '/home/ana/'.padEnd(90, 'deep/');
  const rows = ['one', 'two'].map((name) => ({
    name,
    url: `file://${deep}${name}`,
    ref: 'main',
    plugin_count: 1,
    entries,
    in_place: true,
    last_synced: '2026-01-05T09:00:00Z',
  }));
  const [, first, second] = formatCatalogs(rows, look).split('\n');
  expect(first!.length).toBeLessThanOrEqual(80);
  expect(first).toMatch(/….*one$/);
  expect(second).toMatch(/….*two$/);
});

test('names and descriptions of catalogs cannot draw on the terminal', () => {
  const text = formatPlugins(
    [
      {
        id: { catalog: 'c', plugin: 'p\u001b[2J' },
        version: null,
        author: null,
        description: 'line\nbreak \u202e reversed',
        last_upstream_change: null,
        status: 'enabled',
        component_counts: { skills: 1, agents: 0, commands: 0, hooks: 0, mcp_servers: 0 },
        last_indexed_at: null,
      },
    ],
    look,
  );
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(text.split('\n')).toHaveLength(2);
});

test('a batch says what changed and what was left', () => {
  expect(
    formatPluginChanges(
      {
        changed: [
          {
            plugin: 'a/b',
            status: 'enabled',
            skills_indexed: 5,
            skills_newly_embedded: 4,
            duration_ms: 812,
          },
        ],
        skipped: ['a/c'],
        failures: [],
      },
      look,
    ),
  ).toBe('enabled a/b: 5 entries in 812 ms\n1 plugin left as it was');
});

const hit = {
  catalog: 'orchard',
  plugin: 'pruning',
  skill: 'graft-plan',
  plugin_version: '1.2.0',
  score: 0.7142,
  path: 'skills/graft-plan/SKILL.md',
  scoring: 'reranked',
  name: 'graft-plan',
  kind: 'skill' as const,
  description: 'Plan a graft. '.repeat(30),
};
const answer = {
  scoring: 'reranked' as const,
  threshold_passed: true,
  results: [hit],
  corpus_size: 12,
};

const plain = { isCounted: false, kinds: [] };

test('a hit shows rank, name, score, place and two lines of what it is for', () => {
  const lines = formatQuery(answer, look, plain).split('\n');
  expect(lines[0]).toBe(' 1  graft-plan  0.71  skill in orchard/pruning');
  expect(lines[2]).toMatch(/ …$/);
  expect(lines.at(-1)).toBe('1 of 12 skills and commands; score: how likely it helps, 0 to 1');
});

test('a weak, degraded or stale answer says so', () => {
  const text = formatQuery(
    { ...answer, relevance: 'weak', degraded: 'no model here', stale: true },
    look,
    plain,
  );
  expect(text).toContain('nothing here fits well');
  expect(text).toContain('degraded: no model here');
  expect(text).toContain('may be missing');
});

test('a weak answer gives the verdict first and once, three results, and advice instead of a wrong skill', () => {
  const weak = {
    ...answer,
    relevance: 'weak' as const,
    hint: 'nothing here fits well, so go on without',
    results: Array.from({ length: 10 }, () => ({ ...hit, score: 0 })),
  };
  const text = formatQuery(weak, look, plain);
  expect(text.split('\n')[0]).toBe('nothing here fits well; the nearest are:');
  expect(text.match(/fits well/g)).toHaveLength(1);
  expect(text.match(/skill in/g)).toHaveLength(3);
  expect(nextAfterQuery(weak)).toBe('say it in other words: lectern query WORDS');
  expect(nextAfterQuery(answer)).toBe('lectern get orchard:pruning:graft-plan');
});

test('a strong answer hides what surely does not help, unless a number of results was asked for', () => {
  const scores = [0.9, 0.4, 0.1, 0.02, 0.01, 0, 0];
  const mixed = { ...answer, results: scores.map((score) => ({ ...hit, score })) };
  const rows = (text: string) => text.match(/skill in/g)!.length;
  const text = formatQuery(mixed, look, plain);
  expect(rows(text)).toBe(4);
  expect(text.replaceAll('\n', ' ')).toContain('--top-k 7 shows the rest');
  expect(rows(formatQuery(mixed, look, { ...plain, isCounted: true }))).toBe(7);
  expect(rows(formatQuery({ ...mixed, scoring: 'lexical' }, look, plain))).toBe(7);
  const poor = { ...mixed, results: mixed.results.map((each) => ({ ...each, score: 0.01 })) };
  expect(rows(formatQuery(poor, look, plain))).toBe(3);
});

test('the size of what was searched is told in kinds, agents only where they were searched', () => {
  const size = (kinds: string[]) => formatQuery(answer, look, { ...plain, kinds }).split('\n');
  expect(size(['agent']).join(' ')).toContain('1 of 12 skills, commands and agents;');
  expect(size(['command']).join(' ')).toContain('1 of 12 skills and commands;');
});

test('an empty answer gives the hint', () => {
  const text = formatQuery(
    { ...answer, results: [], no_results_reason: 'no_match', hint: 'try other words' },
    look,
    plain,
  );
  expect(text).toContain('nothing found');
  expect(text).toContain('try other words');
});

test('the command that loads a hit is short where it can be and quoted where it must be', () => {
  expect(getCommandFor(hit)).toBe('lectern get orchard:pruning:graft-plan');
  expect(getCommandFor({ ...hit, kind: 'command' })).toBe(
    'lectern get orchard:pruning:graft-plan --kind command',
  );
  expect(getCommandFor({ ...hit, name: 'sdk/linux', catalog: "ana's" })).toBe(
    "lectern get 'ana'\\''s/pruning/sdk/linux'",
  );
});

test('a body keeps its lines on a screen and loses what could draw there; a pipe gets it as it is', () => {
  const content = 'a\r\nb\tc\u001b[31m\u202ed\n';
  expect(screenSafe(content)).toBe('a\nb\tc[31md\n');
  const body = { ...hit, content, resources: [] };
  expect(formatEntryAnswer(body, false, look)).toBe(content);
});

test('several entries of one name are listed with the command for each', () => {
  const text = formatEntryAnswer(
    { matches: [hit, { ...hit, catalog: 'grove' }], next_actions: [] },
    true,
    look,
  );
  expect(text).toContain('lectern get orchard:pruning:graft-plan');
  expect(text).toContain('lectern get grove:pruning:graft-plan');
});

test('problems are grouped by plugin with file, line and fix', () => {
  const problem = { catalog: 'a', severity: 'error' as const, file: '/a/x.md', message: 'no name' };
  expect(
    formatProblems(
      [
        { ...problem, plugin: null },
        { ...problem, plugin: 'p', line: 3, fix: 'add a name', severity: 'warning' },
      ],
      look,
    ),
  ).toBe(
    'a\nerror /a/x.md\n  no name\n\na/p\nwarning /a/x.md:3\n  no name\n  fix: add a name\n\n1 error, 1 warning',
  );
  expect(formatProblems([], look)).toBe('no problems');
});

test('the verdict of status is its exit code: 0, 10, 1', () => {
  expect((['ok', 'degraded', 'unhealthy'] as const).map(exitCodeOfVerdict)).toEqual([0, 10, 1]);
});

test('status suggests the next setup step that is still open', () => {
  const status = {
    overall: 'ok',
    catalogs_enrolled: 0,
    index: { plugins_enabled: 0 },
    problems_total: 0,
  } as unknown as Parameters<typeof nextStepOf>[0];
  expect(nextStepOf(status)).toContain('catalog add');
  expect(nextStepOf({ ...status, catalogs_enrolled: 1 })).toContain('plugin enable');
  const enabled = {
    ...status,
    catalogs_enrolled: 1,
    index: { ...status.index, plugins_enabled: 1 },
  };
  expect(nextStepOf(enabled)).toBeUndefined();
  expect(nextStepOf({ ...enabled, problems_total: 4 })).toBe('lectern problems');
  // Three problems are all on the screen already.
  expect(nextStepOf({ ...enabled, problems_total: 3 })).toBeUndefined();
  const config = { ok: false as const, message: '/s/config.toml: qeury: unknown key' };
  expect(nextStepOf({ ...status, config })).toMatch(/^mend config\.toml/);
});

test('the current workspace is marked', () => {
  const row = {
    name: 'global',
    catalogs: 1,
    enabled_plugins: 2,
    indexed_skills: 3,
    bound_projects: 0,
    last_used_at: null,
    current: true,
  };
  const [, first, second] = formatWorkspaces(
    [row, { ...row, name: 'team', current: false }],
    look,
  ).split('\n');
  expect(first).toMatch(/^\* {2}global/);
  expect(second).toMatch(/^ {3}team/);
});

test('a log record reads as time, level, target, message and the rest; other lines as they are', () => {
  const record = JSON.stringify({ ts: 'T', level: 'warn', target: 'indexer', msg: 'slow', ms: 12 });
  expect(formatLogLine(record, look)).toBe('T WARN  indexer slow ms=12');
  expect(formatLogLine('not json', look)).toBe('not json');
  expect([
    isAtLevel(record, 'error'),
    isAtLevel(record, 'warn'),
    isAtLevel('not json', 'fatal'),
  ]).toEqual([false, true, true]);
});

test('an explanation shows what placed a result, the strongest features first, and the telling words', () => {
  const text = formatExplained(
    {
      scoring: 'reranked',
      relevance: 'weak',
      words: [{ token: 'graft', idf: 4.2, entries: 2 }],
      results: [
        {
          rank: 1,
          catalog: 'orchard',
          plugin: 'pruning',
          name: 'graft-plan',
          kind: 'skill',
          score: 0.71,
          exact_name: false,
          similarity: 0.62,
          best_chunk: null,
          lexical: 3.1,
          first_stage_rank: 2,
          features: [
            { name: 'coverName', value: 1, contribution: 0.1 },
            { name: 'entry', value: 1, contribution: 2 },
            { name: 'entryZ', value: 1, contribution: -2.9 },
            { name: 'isAgent', value: 0, contribution: -0.001 },
          ],
        },
      ],
    },
    look,
  );
  expect(text.split('\n').slice(0, 5)).toEqual([
    'nothing here fits well; the nearest are:',
    '',
    ' 1  graft-plan  0.71  skill in orchard/pruning',
    '    similarity 0.62, words 3.10, before ranking 2',
    '    meaning -0.90, words in the name +0.10',
  ]);
  expect(text).toMatch(/graft\s+4\.20\s+2/);
  expect(text).toContain('score: how likely it helps, 0 to 1');
  expect(text).toContain('moved it up (+) or down (-)');
});

test('a percent sign in the path of a catalog stands for itself', () => {
  const rows = ['/x/50%', '/x/a%20b'].map((path) => ({
    name: 'c',
    url: `file://${path}`,
    ref: 'main',
    plugin_count: 0,
    in_place: true,
  }));
  const printed = formatCatalogs(rows, look);
  expect(printed).toContain('/x/50%');
  expect(printed).toContain('/x/a%20b');
});
