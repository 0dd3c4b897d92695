#!/usr/bin/env node
// Until the version of Node.js is checked, import only modules that every version can load.
import module from 'node:module';

const required = [22, 12] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < required[0] || (major === required[0] && minor < required[1])) {
  console.error(
    `backlot requires Node.js ${required.join('.')} or later, not ${process.versions.node}.`,
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache();
  const { run } = await import('./program.ts');
  process.exitCode = await run(process.argv.slice(2));
}
