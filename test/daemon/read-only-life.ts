// One whole life of a read-only daemon in this process: it is born on an index
// that is there, and closes. What it leaves behind is printed; then the process
// is expected to end by itself.
import { composeHere } from './compose-here.ts';
import { watchResources } from './open-resources.ts';

const [root] = process.argv.slice(2) as [string];
const resources = watchResources();
const { scope, daemon } = await composeHere(root, { listens: false, idleExitMs: null });
resources.noteDuring(scope);
await daemon.retire('the test');
await scope.close();
await resources.report(scope);
