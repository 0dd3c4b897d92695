import { controlRouter } from '../control/endpoints/index.ts';
import type { ApiContext, ApiDefinition } from '../definition/api.ts';
import { routerOf } from '../definition/api-router.ts';
import { isControl } from '../lib/api-path.ts';
import type { Route, Router } from '../rest/router.ts';

/** Upper bounds of the buckets of durations, in seconds. */
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1] as const;

/** The counts of one endpoint. */
class EndpointCounts {
  readonly statuses = new Map<number, number>();
  /** The number of durations in each bucket; the last one has those beyond all bounds. */
  readonly buckets = new Float64Array(bounds.length + 1);
  /** In milliseconds. */
  sum = 0;

  add(status: number, milliseconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    let at = 0;
    while (at < bounds.length && milliseconds > bounds[at]! * 1000) at++;
    this.buckets[at]!++;
    this.sum += milliseconds;
  }
}

/** Counts an operation of a store: `read`, `write` or `delete`. */
export type StoreCount = (operation: string, milliseconds: number, isDone: boolean) => void;

/** Counts requests by endpoint and status, and how long they took until their response was made. */
export class Metrics {
  readonly #api: ApiDefinition;
  readonly #router: Router<ApiContext>;
  readonly #byRoute = new Map<Route<never>, Map<string, EndpointCounts>>();
  readonly #others = new EndpointCounts();
  /** The operations of a store. Status 0 is one that has failed. */
  readonly #store = new Map<string, EndpointCounts>();

  constructor(api: ApiDefinition) {
    this.#api = api;
    this.#router = routerOf(api);
  }

  /** @param milliseconds duration without reading the body, faults' delays and waiting */
  count(method: string, path: string, status: number, milliseconds: number): void {
    const router = isControl(path) ? controlRouter(this.#api) : this.#router;
    const route = router.find(path)?.route;
    const counts = route === undefined ? this.#others : this.#countsOf(route, method);
    counts.add(status, milliseconds);
  }

  readonly countStore: StoreCount = (operation, milliseconds, isDone) => {
    const counts = this.#store.get(operation) ?? new EndpointCounts();
    this.#store.set(operation, counts);
    counts.add(isDone ? 1 : 0, milliseconds);
  };

  /**
   * Formats the counts: https://prometheus.io/docs/specs/om/open_metrics_spec/
   *
   * @param sessions how many are open, and how many were evicted since the start of the server
   */
  format({ open, evicted }: Readonly<Record<'open' | 'evicted', number>>): string {
    const all = [...this.#listed()];
    return [
      '# TYPE backlot_requests counter',
      '# HELP backlot_requests Requests by endpoint and status; status 0 is a dropped connection.',
      ...all.flatMap(([endpoint, { statuses }]) =>
        Array.from(
          statuses,
          ([status, count]) =>
            `backlot_requests_total{endpoint="${endpoint}",status="${status}"} ${count}`,
        ),
      ),
      '# TYPE backlot_request_duration_seconds histogram',
      '# UNIT backlot_request_duration_seconds seconds',
      '# HELP backlot_request_duration_seconds Time to make a response, without delays and the network.',
      ...all.flatMap(([endpoint, counts]) =>
        histogram('backlot_request_duration_seconds', `endpoint="${endpoint}"`, counts),
      ),
      '# TYPE backlot_sessions gauge',
      '# HELP backlot_sessions Open sessions.',
      `backlot_sessions ${open}`,
      '# TYPE backlot_sessions_evicted counter',
      '# HELP backlot_sessions_evicted Sessions that the server removed by itself.',
      `backlot_sessions_evicted_total ${evicted}`,
      ...this.#formatStore(),
      '# EOF',
      '',
    ].join('\n');
  }

  /** Returns no lines for a server without a store. */
  #formatStore(): string[] {
    if (this.#store.size === 0) return [];
    const name = 'backlot_store_duration_seconds';
    const all = [...this.#store];
    return [
      `# TYPE ${name} histogram`,
      `# UNIT ${name} seconds`,
      `# HELP ${name} Time until the store of sessions has answered.`,
      ...all.flatMap(([operation, counts]) => histogram(name, `operation="${operation}"`, counts)),
      '# TYPE backlot_store_failures counter',
      '# HELP backlot_store_failures Operations of the store of sessions that have failed.',
      ...all.map(
        ([operation, { statuses }]) =>
          `backlot_store_failures_total{operation="${operation}"} ${statuses.get(0) ?? 0}`,
      ),
    ];
  }

  #countsOf(route: Route<never>, sent: string): EndpointCounts {
    const byMethod = this.#byRoute.get(route) ?? new Map<string, EndpointCounts>();
    const known = byMethod.get(sent);
    if (known !== undefined) return known;
    const method = methods.has(sent) ? sent : 'other';
    const counts = byMethod.get(method) ?? new EndpointCounts();
    this.#byRoute.set(route, byMethod.set(method, counts));
    return counts;
  }

  *#listed(): Generator<readonly [endpoint: string, counts: EndpointCounts]> {
    for (const [{ path }, byMethod] of this.#byRoute)
      for (const [method, counts] of byMethod) yield [`${method} ${path}`, counts];
    if (this.#others.statuses.size > 0) yield ['other', this.#others];
  }
}

/** Others would make a label of any text that clients send. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function histogram(name: string, label: string, { buckets, sum }: EndpointCounts): string[] {
  let count = 0;
  const lines = [...bounds, '+Inf'].map((bound, at) => {
    count += buckets[at] ?? 0;
    return `${name}_bucket{${label},le="${bound}"} ${count}`;
  });
  return [
    ...lines,
    `${name}_count{${label}} ${count}`,
    `${name}_sum{${label}} ${Number((sum / 1000).toFixed(9))}`,
  ];
}
