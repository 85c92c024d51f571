// Bundled packages come with their licences: the notices that MIT, ISC, BSD
// and Apache ask for stand in dist/THIRD-PARTY-LICENCES.txt.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt|markdown))?$/i;

/** An esbuild plugin that notes every package that goes into a bundle. */
export function notePackages(root, packages) {
  return {
    name: 'note-packages',
    setup({ initialOptions, onEnd }) {
      initialOptions.metafile = true;
      onEnd(({ metafile }) => {
        for (const output of Object.values(metafile?.outputs ?? {})) {
          for (const input of Object.keys(output.inputs)) {
            const found = /^(?:.*\/)?node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(input);
            if (found !== null) packages.add(join(root, found[0]));
          }
        }
      });
    },
  };
}

/**
 * The text of the notices, one package after another by name.
 *
 * @throws when a package has no licence text of its own and names none
 */
export function writeNotices(packages) {
  const sections = [...packages].map((directory) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(directory, 'package.json'), 'utf8'),
    );
    const texts = readdirSync(directory)
      .filter((file) => LICENCE_FILE.test(file))
      .sort()
      .map((file) => readFileSync(join(directory, file), 'utf8').trim());
    if (texts.length === 0 && typeof license !== 'string') {
      throw new Error(`${name} ${version} is bundled and has no licence`);
    }
    return {
      name,
      text: [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n'),
    };
  });
  sections.sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${sections.map(({ text }) => text).join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}
