import { runDaemon } from './run-daemon.ts';

// Entry of a daemon that is run from source; of the built one: boot.ts.
runDaemon(process.argv.slice(2), () => import('./serve.ts'));
