import { createHash } from 'node:crypto';

/** A skill that comes with lectern itself (library contract 14.4). */
export interface MetaSkill {
  id: string;
  summary: string;
  /** 16 hex digits of the content. */
  revision: string;
  /** Text by path below the skill's folder, stamped with the revision. */
  files: Readonly<Record<string, string>>;
}

const SKILL_BODY = `
# Convert a marketplace into a catalog

Turn a marketplace of Claude Code plugins into a catalog with manifests of its
own. lectern serves such a marketplace without any conversion; convert one when
you want strict manifests, versions and checks, or to publish it for others.

Work through the six steps in order. Stop where step 5 says so.

## 1. Take stock, without writing

Run \`lectern help\`. Where it lists a command that converts, run that with
\`--dry-run --json\` and note for each plugin: what would be written, what would be
renamed, and every line that says a thing cannot be mapped. Where it does not, read
\`.claude-plugin/marketplace.json\` and the folders it names, and list the same:
each plugin with its skills, commands and agents, and whatever the rubric
(\`references/unsupported-component-rubric.md\`) has a line for.

## 2. Convert what is mechanical

With that command, or by hand: copy each plugin's folder into a new directory and
write the manifests. Choose an output that does not exist. Do not edit the
source: it stays as it is.

\`\`\`toml
# tome-catalog.toml, at the root
name = "NAME"
description = "One line."
version = "1.0.0"
[owner]
name = "Their name"
email = "them@example.org"
[[plugins]]
name = "PLUGIN"
source = "./PLUGIN"
\`\`\`

\`\`\`toml
# PLUGIN/tome-plugin.toml
name = "PLUGIN"
version = "1.0.0"
\`\`\`

In bodies, \`\${CLAUDE_PLUGIN_ROOT}\` becomes \`\${TOME_PLUGIN_DIR}\`,
\`\${CLAUDE_SKILL_DIR}\` \`\${TOME_SKILL_DIR}\`, and in commands \`$1\`…\`$9\`
become \`$0\`…\`$8\`.

## 3. Judge what is left

For everything that could not be mapped, open
\`references/unsupported-component-rubric.md\` and apply it. Decide for each
thing: rewrite it, keep it as prose, or leave it out. Write each decision down
with one sentence of reason. Never invent behaviour that the source did not have.

## 4. Check

In a library of its own, which leaves the user's as it is: with \`LECTERN_HOME\` set
to an empty temporary directory, run \`lectern catalog add OUTPUT --enable\`,
\`lectern problems\` and \`lectern daemon stop\`. Mend what is reported, until no
error is left. Warnings may stay when you can say why.

## 5. Report, and stop

Tell the user: how many plugins and entries were converted, what was left out and
why, which warnings stay, and where the output lies. Then stop and wait. Do not
register anything before the user agrees.

## 6. Register

Only after the user agreed:

1. \`lectern workspace current\`, and \`lectern workspace use NAME\` if another one is wanted.
2. \`lectern catalog add OUTPUT\`.
3. \`lectern plugin enable 'CATALOG/*'\`.
4. Hosts that run \`lectern mcp\` find the new entries at once; \`lectern quickstart\`
   prints the entry for one that does not.

Finish with one search that finds a converted skill, to show that it works.
`;

const RUBRIC = `# What to do with parts that cannot be mapped

Ask the questions in order; the first that fits decides.

| The part … | Do this |
| --- | --- |
| runs a command when the text is loaded (\`!\` lines) | Rewrite it as an instruction: name the command, say when to run it and what to look for in its output. |
| includes a file by reference (\`@path\`) | Name the file in the text and say when to read it. Copy it below the skill if it lies elsewhere. |
| counts its arguments from one | Renumber from zero, or give the arguments names. Check every use, also in examples. |
| restricts tools, models or permissions | Keep the intent as a sentence ("read only; change no file"). The restriction itself is the host's to make. |
| is a hook | Leave it out of the entry. Say in the report what it guarded, so that the user can decide. |
| is an MCP server | Leave it out. Name the server and what needs it. |
| is nested deeper than one folder | Lift it up, with its folder's name as a prefix if two would share a name. |
| is text for one host only | Keep it when other hosts lose nothing by reading it; else move it under a heading that names the host. |
| means nothing without one of the above | Leave the whole entry out, and say so. |

When two answers seem right, take the one that changes less.
`;

const FILES = {
  'SKILL.md': SKILL_BODY,
  'references/unsupported-component-rubric.md': RUBRIC,
} as const;

const SUMMARY =
  'Convert a Claude Code marketplace into a catalog: inventory, conversion, judgement of what could not be mapped, checks, report.';

const revision = createHash('sha256')
  .update(JSON.stringify([SUMMARY, FILES]))
  .digest('hex')
  .slice(0, 16);

/** Library contract 14.4: the stamp keeps its name, other programs look for it. */
const FRONTMATTER = `---
name: convert-marketplace
description: ${SUMMARY}
when_to_use: When the user wants a Claude Code marketplace or plugin turned into a catalog of its own
metadata:
  tome_skill_revision: "${revision}"
  installed_by: add-tome-conversion-skill
---
`;

/** Every bundled skill, by id. */
export const META_SKILLS: ReadonlyMap<string, MetaSkill> = new Map([
  [
    'convert-marketplace',
    {
      id: 'convert-marketplace',
      summary: SUMMARY,
      revision,
      files: { ...FILES, 'SKILL.md': FRONTMATTER + SKILL_BODY },
    },
  ],
]);
