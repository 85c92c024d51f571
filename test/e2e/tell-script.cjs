// Loaded by --require: prints whether a script of this process comes with compiled
// code, and ends it. SCRIPT: which one, by the name of its file without `.cjs`.
// OTHER_PROCESS: members of `process` as another Node has them.
'use strict';
const { basename } = require('node:path');
const vm = require('node:vm');

const { exit } = process;
for (const [name, value] of Object.entries(JSON.parse(process.env.OTHER_PROCESS))) {
  Object.defineProperty(process, name, { value });
}
const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    if (basename(options.filename, '.cjs') !== process.env.SCRIPT) return;
    const isGiven = options.cachedData !== undefined;
    console.log(JSON.stringify({ isGiven, isRejected: this.cachedDataRejected }));
    exit(0);
  }
};
