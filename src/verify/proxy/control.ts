import * as z from 'zod';
import { createHttpServer } from '../../mounts/server/server.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { toTimestamp } from '../../engine/lib/duration.ts';
import { openSessions } from '../../engine/sessions/server.ts';
import { openStoreOffice } from '../../shop/open-store-office.ts';
import type { ExchangeMonitor } from '../drift/exchange-monitor.ts';

const DriftView = z.strictObject({
  exchanges: z.int().describe('Number of exchanges that were checked'),
  findings: z.array(
    z.strictObject({
      side: z.enum(['request', 'response']),
      endpoint: z.string(),
      text: z.string(),
      times: z.int().describe('Number of exchanges with this difference'),
    }),
  ),
});

export interface ProxyControlOptions {
  /** The API of the server. */
  readonly api: ApiDefinition;
  /** The path of its API (default: `/api`). */
  readonly apiPath?: string | undefined;
  /** Whether the proxy has a control API. */
  readonly control: boolean;
  /** The token that it requires. */
  readonly controlToken: string | undefined;
  /** Names of the proxy in addition to addresses and `localhost`. */
  readonly allowedHost: readonly string[];
  readonly corsOrigin: string | readonly string[];
}

/** Opens a shop without records, in whose journal the proxy records what passes, with a server that answers for it. */
export function openProxyControl(
  watch: ExchangeMonitor,
  {
    api,
    apiPath,
    control,
    controlToken,
    allowedHost: allowedHosts,
    corsOrigin,
  }: ProxyControlOptions,
) {
  const office = openStoreOffice({
    api: withDrift(api, watch),
    apiPath,
    scenario: 'empty',
    settings: { journalSize: 1000 },
    clock: 'ticking',
    milliseconds: () => performance.now(),
    now: toTimestamp(new Date()),
  });
  const sessions = openSessions(office, { control, controlToken });
  return { office, server: createHttpServer(sessions, { allowedHosts, corsOrigin }) };
}

/** Returns an API whose control API has also what a proxy has found. */
function withDrift(api: ApiDefinition, watch: ExchangeMonitor): ApiDefinition {
  const { control } = api;
  if (control === undefined) return api;
  const row = { path: '/_backlot/drift', errors: [], example: { url: '/_backlot/drift' } };
  const endpoints: ReturnType<typeof control.parts>['endpoints'] = [
    {
      ...row,
      method: 'GET',
      summary: 'List what the proxy has found',
      status: 200,
      answer: DriftView,
      handle: () => ({ exchanges: watch.exchanges, findings: watch.findings }),
    },
    {
      ...row,
      method: 'DELETE',
      summary: 'Clear what the proxy has found',
      status: 204,
      answer: undefined,
      handle: () => watch.clear(),
    },
  ];
  const parts = (): ReturnType<typeof control.parts> => {
    const known = control.parts();
    return { ...known, endpoints: [...known.endpoints, ...endpoints] };
  };
  return { ...api, control: { ...control, parts } };
}
