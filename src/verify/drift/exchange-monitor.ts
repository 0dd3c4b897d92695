import { redactText } from '../../engine/journal/redaction.ts';
import { matchRequest } from '../../engine/definition/match-request.ts';
import { checkExchange, type CheckOptions, type Exchange } from './exchange.ts';

/** A difference between an exchange and the contract, as the proxy tells it. */
export interface ObservedFinding {
  /** The message that differs: the request of the client, or the response of the server. */
  readonly side: 'request' | 'response';
  /** The endpoint: `PUT /api/checkouts/:order_id`, or the request if there is none. */
  readonly endpoint: string;
  /** `body.total: expected 1290, received 1190` */
  readonly text: string;
}

/** A finding with the number of exchanges that it was found in. */
export interface CountedFinding extends ObservedFinding {
  readonly times: number;
}

/** Maximum number of findings that are kept. */
const maxFindings = 1000;

/** Checks exchanges between a client and a server as they happen, and counts what it finds. */
export class ExchangeMonitor {
  readonly #options: CheckOptions;
  readonly #findings = new Map<string, CountedFinding>();
  #exchanges = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  /** Number of exchanges that were checked. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** Each finding once, in the order in which they were first found. */
  get findings(): CountedFinding[] {
    return [...this.#findings.values()];
  }

  /**
   * Checks an exchange in both directions.
   *
   * @returns the findings that no earlier exchange had. Places that differ only by the position in a list are the same
   */
  observe(exchange: Exchange): readonly ObservedFinding[] {
    this.#exchanges += 1;
    const all = [
      ...requestFindings(exchange, this.#options),
      ...responseFindings(exchange, this.#options),
    ];
    const groups = Map.groupBy(all, ({ side, endpoint, place }) =>
      [side, endpoint, place.replaceAll(/\[\d+\]/g, '[]')].join(' '),
    );
    const added: ObservedFinding[] = [];
    for (const [key, [first]] of groups) {
      const known = this.#findings.get(key);
      if (known === undefined && this.#findings.size >= maxFindings) continue;
      const { side, endpoint, text, times } = known ?? { ...first!, times: 0 };
      if (known === undefined) added.push({ side, endpoint, text });
      this.#findings.set(key, { side, endpoint, text, times: times + 1 });
    }
    return added;
  }

  clear(): void {
    this.#findings.clear();
    this.#exchanges = 0;
  }
}

interface PlacedFinding extends ObservedFinding {
  readonly place: string;
}

/** Returns the differences between a request and the contract, whatever its response. */
function requestFindings({ request }: Exchange, { api }: CheckOptions): PlacedFinding[] {
  const { row, problem, issues } = matchRequest(request, { api });
  const path = request.url.replace(/[?#].*/s, '');
  const endpoint =
    row === undefined ? redactText(`${request.method} ${path}`) : `${row.method} ${row.path}`;
  const about = { side: 'request', endpoint } as const;
  if (problem !== undefined)
    return [{ ...about, place: String(problem.status), text: redactText(problem.message) }];
  return issues.map(({ path: names, message }) => {
    const place = names.join('.') || 'parameters';
    return { ...about, place, text: `${place}: ${redactText(message)}` };
  });
}

function responseFindings(exchange: Exchange, options: CheckOptions): PlacedFinding[] {
  return checkExchange(exchange, options).map(({ endpoint, at, expected, received }) => ({
    side: 'response',
    endpoint,
    place: at === 'status' ? `${at} ${received}` : at,
    text: redactText(`${at}: expected ${expected}, received ${received}`),
  }));
}
