import { Problem } from '../lib/problem.ts';
import { parseArguments, usage, UsageError, version, type Arguments } from './arguments.ts';
import { listScenarios } from './scenarios.ts';
import { serve } from './serve.ts';
import { widthOf } from './terminal.ts';
import { openapi } from '../sessions/openapi.ts';

/**
 * Runs a command line.
 *
 * @returns the exit code: 0 for success, 2 for a command line or scenario that cannot be run
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await runCommand(parseArguments(args));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Problem)) throw error;
    console.error(`backlot: ${error.message}`);
    return 2;
  }
}

async function runCommand(args: Arguments): Promise<void> {
  switch (args.command) {
    case 'help':
      console.log(usage(widthOf(process.stdout)));
      return;
    case 'version':
      console.log(version());
      return;
    case 'scenarios':
      console.log(listScenarios(widthOf(process.stdout)));
      return;
    case 'openapi':
      console.log(JSON.stringify(openapi(version(), args.basePath), null, 2));
      return;
    case 'serve':
      await serve(args);
  }
}
