/**
 * What a model reads before anything else (library contract 9.1). Under 2,048
 * characters: hosts cut longer ones.
 */
export const INSTRUCTIONS = `lectern holds skills, commands and agents for this machine: written know-how that makes work better than improvising.

Use it before you start a task that someone may have written a skill for.

1. Search first: call search_skills with what you want to do, in plain words.
2. Inspect: call get_skill with metadata_only: true to see description, when to use it and its files without loading the full body.
3. Load: call get_skill with catalog, plugin and name from the match, read the body, and follow it.

A match with a prompt_name is a command that the user can run as a prompt of that name.
If the answer says relevance: "weak", nothing here fits well: go on without a skill.

Browse with list_plugins (enabled plugins and their entries) and list_catalogs (where they come from). Use status to see why a search returned nothing.`;
