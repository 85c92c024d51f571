// A daemon's announcement in a process that has no descriptor left: prints
// whether the state root counts as its own then, and once it was taken away.
import { closeSync, openSync, rmSync } from 'node:fs';
import { announceBirth } from '../../daemon/announce.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';

const paths = statePaths(process.argv[2]!);
const said = { version: '1.0.0', answersAsRecorded: false };
const announced = await announceBirth(paths, said, () => {}, {});
const held: number[] = [];
let shortage = '';
while (shortage === '') {
  try {
    held.push(openSync('/dev/null', 'r'));
  } catch (error) {
    shortage = (error as NodeJS.ErrnoException).code!;
  }
}
const whenShort = announced.isOurs();
for (const fd of held) closeSync(fd);
const later = announced.isOurs();
rmSync(paths.daemonFile);
const whenGone = announced.isOurs();
announced.stopListening();
process.stdout.write(JSON.stringify({ shortage, whenShort, later, whenGone }));
