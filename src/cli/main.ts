#!/usr/bin/env node
// Only what any Node can load is imported before its version is known.
import module from 'node:module';

const needed = [22, 12] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `backlot needs Node ${needed.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache();
  const { run } = await import('./program.ts');
  process.exitCode = await run(process.argv.slice(2));
}
