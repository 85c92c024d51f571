import type { Snapshot } from '../../src/top/snapshot.ts';

/** 14:03:59 on some day, local time. */
export const NOW = new Date(2026, 2, 14, 14, 3, 59).getTime();

/** A moment in the life of a busy daemon: every kind of row, long texts and odd ones. */
export function busySnapshot(): Snapshot {
  return {
    at: NOW,
    failure: null,
    pulse: {
      daemon: {
        pid: 4711,
        version: '0.1.0',
        protocol: 1,
        stateRoot: '/home/ada/.lectern',
        socket: '/run/user/1000/lectern-1.sock',
        mode: 'socket',
        isRetiring: false,
        uptimeMs: 8_040_000,
        sessions: 3,
        inFlight: 1,
        calls: 12_345,
        rssBytes: 123_456_789,
        loopDelayP99Ms: 11.3,
        idleExitMs: 1_800_000,
        logFile: '/home/ada/.lectern/daemon.log',
        startupFailure: null,
        http: null,
      },
      sessions: [
        session({ id: 1, pid: 100, harness: 'claude-code', calls: 42, cwd: '/home/ada/orchard' }),
        session({ id: 2, pid: 90, harness: 'cursor', calls: 7, inFlight: 1, workspace: 'team' }),
        session({ id: 3, pid: 300, harness: null, role: 'admin', calls: 900, ageMs: 1000 }),
      ],
      metrics: {
        answered: 49,
        calls: [...Array(118).fill(0), 3, 7],
        p50Ms: [...Array(118).fill(null), 4.2, 3.9],
        p99Ms: [...Array(118).fill(null), 12, 9.5],
        total: { calls: 10, p50Ms: 4.1, p99Ms: 12 },
        searches: [
          search({ id: 3, query: 'prune an old apple tree in late winter', best: 'prune-tree' }),
          search({
            id: 2,
            query: '木を剪定する ✂️ 👩‍🌾',
            best: 'sharpen-shears',
            relevance: 'weak',
          }),
          search({ id: 1, query: 'x'.repeat(200), matches: 0, best: null, relevance: null }),
        ],
        polled: [{ root: '/mnt/share/skills', reason: 'a network file system' }],
      },
    },
    standing: {
      status: {
        lectern: '0.1.0',
        embedder: { name: 'lectern-embed', version: '1', state: 'ok' },
        reranker: { name: 'lectern-embed', version: '1', state: 'ok' },
        summariser: { name: null, version: null, state: 'not_applicable' },
        index: {
          present: true,
          schema_version: 1,
          plugins_enabled: 2,
          skills_indexed: 14,
          size_bytes: 5_000_000,
          integrity_ok: true,
        },
        drift: { kind: 'none' },
        overall: 'ok',
        workspaces_total: 1,
        current_workspace: 'global',
        current_scope: 'global',
        entries: { skills: 12, commands: 2, agents: 1 },
        catalogs_enrolled: 2,
        reindexed_at: Math.floor(NOW / 1000) - 3600,
        models_on_disk_bytes: 0,
        unrepresented_agents: 0,
        hook_translation_harnesses: 0,
        unrepresented_hooks: 0,
        catalogs: [
          catalog('orchard', 'file:///home/ada/orchard', true),
          catalog('shared', 'file:///mnt/share/skills', true),
          catalog('team', 'https://example.org/team/skills.git', false),
        ],
        indexing: { stage: 'descriptions', done: 30, total: 120 },
        notes: ['/mnt/share/skills is polled: a network file system', 'a note of its own'],
      },
      problems: [
        {
          catalog: 'orchard',
          plugin: 'pruning',
          severity: 'warning',
          file: '/home/ada/orchard/pruning/skills/prune-tree/SKILL.md',
          line: 3,
          message: 'the description is longer than 1,024 characters',
          fix: 'shorten it',
        },
        {
          catalog: 'team',
          plugin: null,
          severity: 'error',
          file: '/home/ada/.lectern/catalogs/1/marketplace.json',
          message: 'line 7: a comma is missing',
        },
      ],
    },
  };
}

/** What is known while there is no daemon. */
export function idleSnapshot(failure: string | null = null): Snapshot {
  return { at: NOW, failure, pulse: null, standing: null };
}

type Session = NonNullable<Snapshot['pulse']>['sessions'][number];

function session(more: Partial<Session> & { id: number }): Session {
  return {
    role: 'mcp',
    surface: 'library',
    harness: null,
    workspace: null,
    cwd: '/srv/a/rather/long/path/to/some/project',
    pid: 1,
    version: '0.1.0',
    calls: 0,
    inFlight: 0,
    ageMs: 125_000,
    ...more,
  };
}

type Search = NonNullable<NonNullable<Snapshot['pulse']>['metrics']>['searches'][number];

function search(more: Partial<Search> & { id: number }): Search {
  return {
    at: NOW - 1000,
    query: '',
    harness: 'claude-code',
    workspace: 'global',
    ms: 4.2,
    matches: 10,
    best: null,
    scoring: 'reranked',
    relevance: 'strong',
    ...more,
  };
}

function catalog(name: string, url: string, inPlace: boolean) {
  return {
    name,
    url,
    ref: 'main',
    plugin_count: 1,
    in_place: inPlace,
    format: 'folder' as const,
    entries: { found: 8, loaded: name === 'team' ? 3 : 7, dropped: 1 },
    problems: 1,
  };
}
