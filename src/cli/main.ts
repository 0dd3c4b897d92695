#!/usr/bin/env node
// Until the version of Node.js is checked, import only modules that every version can load.
import module from 'node:module';

const issue = await import('../mounts/node/require-node.ts').then(
  () => undefined,
  (error: unknown) => error,
);
if (issue !== undefined) {
  console.error(issue instanceof Error ? issue.message : issue);
  process.exitCode = 2;
} else {
  // Deno does not have it.
  module.enableCompileCache?.();
  const { run } = await import('./run.ts');
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    // A defect of this program. The exit code 1 of Node.js would be a finding.
    console.error(error);
    process.exit(2);
  }
}
