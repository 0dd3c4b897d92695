import { Problem } from '../lib/problem.ts';
import { parseArguments, usage, UsageError, version, type Arguments } from './arguments.ts';
import { listScenarios } from './scenarios.ts';
import { serve } from './serve.ts';
import { widthOf } from './terminal.ts';
import { verify } from './verify.ts';
import { describeApis, finish } from '../sessions/control-api.ts';
import { documentedEndpoints, openapi } from '../sessions/openapi.ts';
import { withPrefix } from '../rest/openapi-prefix.ts';
import { arazzoOf, type ArazzoDocument } from '../workflows/arazzo.ts';
import { workflows } from '../workflows/index.ts';

/**
 * Runs a command line.
 *
 * @returns the exit code: 0 for success, 1 for coverage below a minimum or if `verify` finds a difference, 2 for a command
 * line or scenario that cannot be run
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === 'coverage') return await runCoverage(args.slice(1));
    return (await runCommand(parseArguments(args))) ?? 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Problem)) throw error;
    console.error(`backlot: ${error.message}`);
    return 2;
  }
}

async function runCoverage(args: readonly string[]): Promise<number> {
  const { mergeFiles } = await import('./coverage.ts');
  return mergeFiles(args);
}

async function runCommand(args: Arguments): Promise<number | undefined> {
  switch (args.command) {
    case 'help':
      console.log(usage(widthOf(process.stdout)));
      return undefined;
    case 'version':
      console.log(version());
      return undefined;
    case 'scenarios':
      console.log(listScenarios(widthOf(process.stdout)));
      return undefined;
    case 'openapi':
      console.log(
        JSON.stringify(withPrefix(finish(describeApis(version())), args.basePath), null, 2),
      );
      return undefined;
    case 'arazzo':
      console.log(JSON.stringify(arazzo(args), null, 2));
      return undefined;
    case 'proxy':
      await (await import('./proxy/proxy.ts')).proxy(args);
      return undefined;
    case 'tail':
      await (await import('./tail/tail.ts')).tail(args);
      return undefined;
    case 'verify':
      return verify(args);
    case 'coverage':
      throw new UsageError(
        '`coverage` must be the first word: backlot coverage merge a.json b.json',
      );
    case 'serve':
      await serve(args);
      return undefined;
  }
}

/** @throws UsageError for the name of no workflow */
function arazzo({ names, host, port, basePath }: Arguments): ArazzoDocument {
  const ids = workflows.map(({ id }) => id);
  const unknown = names.find((name) => !ids.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`Workflow '${unknown}' not found. Use one of ${ids.join(', ')}.`);
  }
  const chosen = workflows.filter(({ id }) => names.length === 0 || names.includes(id));
  const address = host.includes(':') ? `[${host}]` : host;
  const server = `http://${address}:${port}${basePath}`;
  const document = withPrefix(openapi(version(), documentedEndpoints), basePath);
  return arazzoOf(chosen, { openapi: document, server });
}
