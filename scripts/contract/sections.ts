/** Letter of a contract: library, registry, tui language and tools, tui engine. */
export type ContractLetter = 'L' | 'S' | 'U' | 'G';

export const CONTRACTS: Readonly<Record<ContractLetter, string>> = {
  L: 'library',
  S: 'registry',
  U: 'tui language and tools',
  G: 'tui engine',
};

/**
 * The numbered behaviours by section: letter, first id, last id, title. Numbers
 * are without gaps; G-231 stands in the layout section.
 */
export const SECTIONS: readonly (readonly [ContractLetter, number, number, string])[] = [
  ['L', 1, 32, 'Input formats'],
  ['L', 33, 61, 'Catalogs and plugins'],
  ['L', 62, 68, 'Reindex and tiers'],
  ['L', 69, 82, 'Workspaces'],
  ['L', 83, 112, 'Search'],
  ['L', 113, 139, 'get_skill'],
  ['L', 140, 149, 'list_plugins, list_catalogs, status, meta'],
  ['L', 150, 163, 'Substitution'],
  ['L', 164, 177, 'Prompts'],
  ['L', 178, 202, 'Server and harnesses'],
  ['L', 203, 213, 'Status, doctor, errors, authoring'],
  ['S', 1, 22, 'Skill files and validation'],
  ['S', 23, 32, 'Unpacking'],
  ['S', 33, 38, 'Digest'],
  ['S', 39, 49, 'Lockfile'],
  ['S', 50, 55, 'Status'],
  ['S', 56, 71, 'Install'],
  ['S', 72, 80, 'Detection'],
  ['S', 81, 91, 'search_skills'],
  ['S', 92, 96, 'read_skill'],
  ['S', 97, 111, 'install_skills'],
  ['S', 112, 127, 'publish_skill'],
  ['S', 128, 142, 'installed_skills, update_skills, remove_skills'],
  ['S', 143, 154, 'Protocol, resources, configuration'],
  ['S', 155, 186, 'HTTP server'],
  ['S', 187, 196, 'CLI'],
  ['U', 1, 9, 'Conventions used by every part'],
  ['U', 10, 21, 'Document syntax: the XML subset'],
  ['U', 22, 28, 'Versions and roots'],
  ['U', 29, 37, 'Tag catalog'],
  ['U', 38, 46, 'Attributes'],
  ['U', 47, 57, 'Structure rules'],
  ['U', 58, 63, 'Text and templates'],
  ['U', 64, 73, 'Data store, paths, formatting'],
  ['U', 74, 91, 'Repetition, conditions, classes, flags'],
  ['U', 92, 100, 'Keymap and actions'],
  ['U', 101, 117, 'Style language (TCSS)'],
  ['U', 118, 130, 'Diagnostics'],
  ['U', 131, 146, 'Command-line conventions'],
  ['U', 147, 179, 'Commands'],
  ['U', 180, 195, 'play'],
  ['U', 196, 208, 'inspect'],
  ['U', 209, 226, 'MCP server'],
  ['U', 227, 228, 'Agent briefing'],
  ['U', 229, 231, 'Quirks, unknowns, disagreements'],
  ['U', 232, 232, 'Limits'],
  ['U', 233, 237, 'Worked examples'],
  ['G', 1, 6, 'Conventions'],
  ['G', 7, 39, 'Cascade'],
  ['G', 40, 46, 'Sizes and exact arithmetic'],
  ['G', 47, 55, 'Box model'],
  ['G', 56, 82, 'Layout algorithm'],
  ['G', 83, 95, 'Text'],
  ['G', 96, 115, 'Painting'],
  ['G', 116, 117, 'Widget summary'],
  ['G', 118, 128, 'Frame pipeline'],
  ['G', 129, 142, 'Data and widget state'],
  ['G', 143, 151, 'Focus'],
  ['G', 152, 161, 'Keys'],
  ['G', 162, 163, 'Hints'],
  ['G', 164, 169, 'Mouse (v2)'],
  ['G', 170, 175, 'Play'],
  ['G', 176, 186, 'Dump'],
  ['G', 187, 195, 'Inspect'],
  ['G', 196, 196, 'Layout diagnostics'],
  ['G', 197, 201, 'Live terminal notes'],
  ['G', 202, 227, 'Test vectors'],
  ['G', 228, 230, 'Unknowns and decisions'],
  ['G', 231, 231, 'Layout algorithm, table cells'],
];

/** `L-012` */
export function idOf(letter: ContractLetter, number: number): string {
  return `${letter}-${String(number).padStart(3, '0')}`;
}

/** Every id of the given contracts, in order. */
export function allIds(letters: readonly ContractLetter[]): string[] {
  return SECTIONS.filter(([letter]) => letters.includes(letter)).flatMap(([letter, from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => idOf(letter, from + at)),
  );
}
