import { memoized } from '../lib/memoized.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import { parseBrackets } from '../rest/body.ts';
import { documentedStatuses } from '../rest/documented-statuses.ts';
import { statusOf } from '../rest/errors.ts';
import { decodeRequest, parseTarget } from '../rest/serve.ts';
import type { ApiDefinition, ApiEndpoint } from './api.ts';
import { rowRouterOf } from './api-router.ts';
import type { KnownSettings, SentRequest } from './drift.ts';

/** The endpoint row of a request, and what the contract says of the request. */
export interface RequestMatch {
  readonly row: ApiEndpoint | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The issues of the parameters that do not depend on data. */
  readonly issues: readonly FieldIssue[];
  /** The error that the request itself demands: 404 for no endpoint, 405, 415, 400 for broken JSON. */
  readonly problem?: { readonly status: number; readonly message: string };
}

/** Returns the settings of an API by default. Memoized. */
export const defaultSettings = memoized(({ settings }: ApiDefinition) => settings.parse({}));

/**
 * Finds the endpoint row of a request and validates its parameters, as far as that is possible without data.
 *
 * @param request `url` without the prefix under which the API is mounted
 */
export function matchRequest(
  { headers = {}, ...request }: SentRequest,
  {
    settings = {},
    api,
  }: { readonly settings?: KnownSettings | undefined; readonly api: ApiDefinition },
): RequestMatch {
  const target = parseTarget(request.url);
  let found: Pick<RequestMatch, 'row' | 'params'> = { row: undefined, params: {} };
  try {
    const { route, params } = rowRouterOf(api).match(request.method, target.path);
    if (request.method === 'OPTIONS') return { row: undefined, params, issues: [] };
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    found = { row: route.methods.get(method)?.[0], params };
    const used = { ...defaultSettings(api), ...settings };
    const { row, sent } = decodeRequest({ ...request, headers }, target, route, params, used);
    const query = Object.entries(parseBrackets(target.query)).filter(([name]) =>
      Object.hasOwn(row.query?.children ?? {}, name),
    );
    const issues = [
      ...(row.query?.parse(Object.fromEntries(query), 'ignore').issues ?? []),
      ...(row.body?.parse(sent, 'ignore').issues ?? []),
    ];
    return { row, params, issues };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind, message } = error;
    return { ...found, issues: [], problem: { status: statusOf[kind], message } };
  }
}

/** Returns the statuses that an endpoint may respond with, without those of failures. */
export function possibleStatuses(row: ApiEndpoint, api: ApiDefinition): readonly number[] {
  const guards = api.control?.parts().documents.guards ?? [];
  const isGuarded = guards.some((guard) => guard.covers(row.path));
  return [...documentedStatuses([row], { isGuarded }).keys()].filter((status) => status < 500);
}
