/**
 * Bounds of one reading. Everything below a root is hostile until trusted
 * (design 10); what lies beyond a bound is left out and said to be.
 */
export interface ReadLimits {
  /** Entry files of one root. The largest public collection has some 3,000. */
  maxEntries: number;
  /** Directories listed below one root; a monorepo of 10^5 folders still fits. */
  maxDirectories: number;
  /** Directory items looked at below one root: files, folders and links together. */
  maxItems: number;
  /** Levels below the root. Deeper trees are generated or made to hurt. */
  maxDepth: number;
  /** Decoded text of one root that is held at a time, in bytes of the files. */
  maxTextBytes: number;
}

export const READ_LIMITS: ReadLimits = {
  maxEntries: 50_000,
  maxDirectories: 200_000,
  maxItems: 1_000_000,
  maxDepth: 32,
  // 20,000 entries of the 11 KB that is usual come to 220 MB.
  maxTextBytes: 256 * 1024 * 1024,
};

/** `SKILL.md`, `commands/*.md`, `agents/*.md` (library contract 2.1). */
export const MAX_ENTRY_BYTES = 256 * 1024;

/** `tome-catalog.toml`, `tome-plugin.toml`, `plugin.json` (library contract 2.1). */
export const MAX_MANIFEST_BYTES = 256 * 1024;

/** A public marketplace.json of 286 plugins has 165 KiB, so 256 KiB would be too near. */
export const MAX_MARKETPLACE_BYTES = 4 * 1024 * 1024;

/** `.mcp.json` when its servers are counted (library contract 2.1). */
export const MAX_MCP_JSON_BYTES = 1024 * 1024;

/**
 * Above this a block is read line by line: some texts cost the YAML library
 * time by the square of their length (64 KiB of commas: 2 s, 16 KiB: 0.15 s).
 * The longest of 951 public frontmatters has 2.4 KiB.
 */
export const MAX_YAML_CHARS = 16 * 1024;

/** Declared arguments of one entry (library contract 2.6). */
export const MAX_ARGUMENTS = 256;

/** A name must fit a prompt name, a URI and a file name. */
export const MAX_NAME_CHARS = 200;

/** Descriptions are shown and embedded; a model reads no more than some 2,000 characters. */
export const MAX_DESCRIPTION_CHARS = 8_192;
