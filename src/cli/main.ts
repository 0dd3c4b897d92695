#!/usr/bin/env node
// Until the version of Node.js is checked, import only modules that every version can load.
import module from 'node:module';
import { nodeIssue } from '../mounts/node/required-node.ts';

if (nodeIssue !== undefined) {
  console.error(nodeIssue);
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
