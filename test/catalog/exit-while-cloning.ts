// Clones from the address given, and exits when its input ends, whatever the clone is at.
import { cloneCatalog } from '../../src/catalog/git.ts';

const [url, directory] = process.argv.slice(2) as [string, string];
cloneCatalog(url, null, directory).catch(() => {});
process.stdin.resume().on('end', () => process.exit());
