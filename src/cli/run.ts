import { Problem } from '../lib/problem.ts';
import { parseArguments, type Arguments } from './arguments.ts';
import { listScenarios } from './scenarios.ts';
import { serve } from './serve.ts';
import { openapi } from '../sessions/server.ts';
import { UsageError } from './usage-error.ts';
import { usage, version } from './usage.ts';

/**
 * Runs a command line.
 *
 * @returns the exit code: 0, or 2 where what was typed cannot be done
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await command(parseArguments(args));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Problem)) throw error;
    console.error(`backlot: ${error.message}`);
    return 2;
  }
}

async function command(args: Arguments): Promise<void> {
  switch (args.command) {
    case 'help':
      console.log(usage);
      return;
    case 'version':
      console.log(version());
      return;
    case 'scenarios':
      console.log(listScenarios(process.stdout.columns));
      return;
    case 'openapi':
      console.log(JSON.stringify(openapi(version(), args.basePath), null, 2));
      return;
    case 'serve':
      await serve(args);
  }
}
