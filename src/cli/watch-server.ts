import type { ApiDefinition } from '../engine/definition/api.ts';
import { Problem } from '../engine/lib/problem.ts';
import type { OnProgress } from '../engine/lib/progress.ts';
import type { BackOffice } from '../engine/office/back-office.ts';
import { carryOver } from '../engine/office/difference.ts';
import type { ReadyScenario } from '../engine/scenario/scenario.ts';
import type { ReplacedApi } from '../engine/sessions/replaced-api.ts';
import type { Server } from '../engine/sessions/server.ts';
import type { Arguments } from './commands.ts';
import { loadApi } from './config.ts';
import { errorPlace } from './import-default.ts';
import { findScenario } from './scenarios.ts';
import { printIssue } from './terminal.ts';
import { UsageError } from './values.ts';
import { warmUp } from './warm-up.ts';
import { WatchedFiles } from './watched-files.ts';

/** Opens the shared back office of an API. */
export type OpenShared = (
  api: ApiDefinition,
  scenario: ReadyScenario,
  onProgress?: OnProgress,
) => BackOffice;

/**
 * Watches the files of a definition and of a scenario, with every file that they import or refer to, and has a server open
 * what they say when the content of one of them changes.
 *
 * @param server receives what changes; a change that comes before the server waits for it
 * @returns the API that the definition says, and the function that ends it
 */
export async function watchServer(
  args: Arguments,
  server: Promise<Server>,
  openShared: OpenShared,
): Promise<{ readonly api: ApiDefinition; readonly end: () => void }> {
  const files = new WatchedFiles(async () => check());
  const definitions = new Set<string>();
  const follow = (file: string): void => files.follow(file);
  const load = async (): Promise<ApiDefinition> =>
    loadApi(args, (file) => {
      definitions.add(file);
      follow(file);
    });
  let api = await load();
  const check = async (): Promise<void> => {
    const changed = files.takeChanged();
    if (changed.length === 0) return;
    const isApi = changed.some((file) => definitions.has(file));
    try {
      const next = isApi ? await load() : api;
      const scenario = await findScenario(args.scenario, follow, next);
      const opened = await server;
      const effect = isApi
        ? resetsText(opened.replaceApi(openShared(next, scenario), carryOver))
        : sessionsText(opened.replaceScenario(scenario));
      if (isApi) warmUp(opened.warmUpReads());
      api = next;
      const what = isApi ? 'definition' : `scenario ${scenario.name}`;
      const took = (performance.now() - files.since).toFixed(0);
      console.log(`backlot: Opened the ${what} anew in ${took} ms. ${effect}`);
    } catch (error) {
      const isExpected = error instanceof Problem || error instanceof UsageError;
      // The code of a definition can throw anything while its scenario is opened.
      if (!(error instanceof Error) || !(isExpected || isApi)) throw error;
      const what = isApi ? 'definition' : 'scenario';
      const place = isExpected ? '' : errorPlace(error);
      printIssue(`The former ${what} stays. ${error.message}${place}`);
    }
  };
  await findScenario(args.scenario, follow, api);
  return { api, end: () => files.end() };
}

function resetsText({ reset, ended }: ReplacedApi): string {
  const sessions = ended.length === 1 ? '1 session was' : `${ended.length} sessions were`;
  const texts = [
    ...(reset === undefined ? [] : [`The shared back office was reset: ${reset}.`]),
    ...(ended.length === 0 ? [] : [`${sessions} reset: ${[...new Set(ended)].join('; ')}.`]),
  ];
  return texts.length === 0 ? 'The data are kept.' : texts.join(' ').replaceAll('..', '.');
}

function sessionsText(ended: number): string {
  if (ended === 0) return 'No session was open.';
  return `${ended} ${ended === 1 ? 'session has' : 'sessions have'} ended: the next request of each begins it anew.`;
}
