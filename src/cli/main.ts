#!/usr/bin/env node
// Until the version of Node.js is checked, import only modules that every version can load.
import module from 'node:module';
import { nodeIssue } from '../adapters/node/required-node.ts';

if (nodeIssue !== undefined) {
  console.error(nodeIssue);
  process.exitCode = 2;
} else {
  // Deno does not have it.
  module.enableCompileCache?.();
  const { run } = await import('./program.ts');
  process.exitCode = await run(process.argv.slice(2));
}
