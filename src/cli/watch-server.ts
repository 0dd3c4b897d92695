import type { ApiDefinition } from '../engine/definition/api.ts';
import type { OnProgress } from '../engine/lib/progress.ts';
import type { BackOffice } from '../engine/office/back-office.ts';
import { carryOver } from '../engine/office/difference.ts';
import type { ReadyScenario } from '../engine/scenario/scenario.ts';
import type { ReplacedApi } from '../engine/sessions/replaced-api.ts';
import type { Server } from '../engine/sessions/server.ts';
import type { Arguments } from './commands.ts';
import { loadApi } from './config.ts';
import { findScenario } from './scenarios.ts';
import { watchFiles, type WatchedSources } from './watch.ts';

/** Opens the shared back office of an API. */
export type OpenShared = (
  api: ApiDefinition,
  scenario: ReadyScenario,
  onProgress?: OnProgress,
) => BackOffice;

/**
 * Watches the files of a scenario and of a definition for a server.
 *
 * @param server receives what changes; a change that comes before the server waits for it
 */
export function watchServer(
  args: Arguments,
  server: Promise<Server>,
  openShared: OpenShared,
): ReturnType<typeof watchFiles> {
  const sources: WatchedSources = {
    api: async (onRead) => loadApi(args, onRead),
    scenario: async (api, onRead) => findScenario(args.scenario, onRead, api),
  };
  return watchFiles(sources, {
    async open(scenario, api) {
      const opened = await server;
      if (api === undefined) {
        const ended = opened.replaceScenario(scenario);
        return { what: `scenario ${scenario.name}`, effect: sessionsText(ended) };
      }
      const replaced = opened.replaceApi(openShared(api, scenario), carryOver);
      warmUp(opened.warmUpReads());
      return { what: 'definition', effect: resetsText(replaced) };
    },
    opened: ({ what, effect }, took) =>
      console.log(`backlot: Opened the ${what} anew in ${took.toFixed(0)} ms. ${effect}`),
    failed: (message, what) => console.error(`backlot: The former ${what} stays. ${message}`),
  });
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

/** Runs one step at a time and serves requests in between. */
export function warmUp(steps: Iterator<void>, onEnd?: () => void): void {
  setTimeout(() => {
    if (steps.next().done === true) onEnd?.();
    else warmUp(steps, onEnd);
  }, 10).unref();
}
