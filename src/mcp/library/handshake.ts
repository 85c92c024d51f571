import type { HandshakeSnapshot } from '../../protocol/link/snapshot.ts';
import { type LibraryService, openLibrarySurface, READ_ONLY_LIBRARY_TOOLS } from '../library.ts';
import { recordHandshake } from '../record-handshake.ts';

/** What the library surface answers to a handshake, for the proxies of this build. */
export function makeLibraryHandshake(): Promise<HandshakeSnapshot> {
  return recordHandshake('library', openLibrarySurface(ABSENT), READ_ONLY_LIBRARY_TOOLS);
}

const refuse = () => Promise.reject(new Error('no tool is called while a handshake is recorded'));

/** A library that is never asked: the handshake does not depend on one. */
const ABSENT: LibraryService = {
  searchSkills: refuse,
  getSkill: refuse,
  listPlugins: refuse,
  listCatalogs: refuse,
  status: refuse,
  installMeta: refuse,
  getPrompt: refuse,
  listPrompts: async () => [],
  promptDigest: async () => '',
  listSkillItems: refuse,
  findSkillItem: refuse,
  readSkillFile: refuse,
  listSkillFolder: refuse,
  holdProject: async () => () => {},
  touch: async () => {},
  onChange: () => () => {},
  indexing: () => ({ stage: 'idle', done: 0, total: 0 }),
};
