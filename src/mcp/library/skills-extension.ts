import { type SkillSource, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { Library } from '../../library/library.ts';
import type { LibrarySession } from '../../library/parts.ts';
import type { SkillItem } from '../../library/skill-resources.ts';

/** What the extension asks of the library. */
export type SkillService = Pick<
  Library,
  'listSkillItems' | 'findSkillItem' | 'readSkillFile' | 'listSkillFolder'
>;

/** Skills a page: 100 descriptions are some 30 KB. */
const PAGE = 100;

/**
 * The session's enabled skills as the MCP Skills extension serves them, beside
 * the tools. Every page is made when it is asked for.
 *
 * @param ready resolves when the session's own project has been read
 */
export function skillsExtension(
  library: SkillService,
  session: LibrarySession,
  ready: Promise<unknown>,
): SkillsExtension {
  const source: SkillSource = {
    async list({ cursor }) {
      await ready;
      const items = await library.listSkillItems(session);
      const from = cursor === undefined ? 0 : Math.max(0, Number.parseInt(cursor, 10) || 0);
      const page = items.slice(from, from + PAGE).map(toSkill);
      return from + PAGE < items.length
        ? { skills: page, nextCursor: String(from + PAGE) }
        : { skills: page };
    },
    async get(uri) {
      await ready;
      const found = await library.findSkillItem(uri, session);
      return found?.path === 'SKILL.md' ? toSkill(found.item) : undefined;
    },
    async read(uri) {
      await ready;
      const found = await library.findSkillItem(uri, session);
      const bytes = found === undefined ? undefined : await library.readSkillFile(found);
      if (bytes === undefined) return undefined;
      const text = decodeUtf8(bytes);
      if (text === undefined) return { bytes };
      return found!.path.toLowerCase().endsWith('.md')
        ? { text, mimeType: 'text/markdown' }
        : { text };
    },
    async readDirectory(uri) {
      await ready;
      const found = await library.findSkillItem(uri, session);
      const children = found === undefined ? undefined : await library.listSkillFolder(found);
      if (children === undefined) return undefined;
      return {
        resources: children.map(({ uri: child, name, isDirectory }) => ({
          uri: child,
          name,
          ...(isDirectory ? { mimeType: 'inode/directory' } : {}),
        })),
      };
    },
  };
  // Warnings would go to the daemon's stderr, which nobody reads; names are made to fit before.
  return new SkillsExtension({ source, onWarning: () => {} });
}

function toSkill({ uri, name, description }: SkillItem) {
  return { uri, frontmatter: { name, description }, resources: 'dynamic' as const };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
