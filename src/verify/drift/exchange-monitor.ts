import { redactText } from '../../engine/journal/redaction.ts';
import { checkExchange, matchRequest, type CheckOptions, type Exchange } from './exchange.ts';

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
  get findings(): readonly CountedFinding[] {
    return [...this.#findings.values()];
  }

  /**
   * Checks an exchange in both directions.
   *
   * @returns the findings that no earlier exchange had. Places that differ only by the position in a list are the same
   */
  observe(exchange: Exchange): readonly ObservedFinding[] {
    this.#exchanges += 1;
    const found = new Map<string, ObservedFinding>();
    for (const [place, finding] of this.#findingsOf(exchange)) {
      const key = `${finding.side} ${finding.endpoint} ${place.replaceAll(/\[\d+\]/g, '[]')}`;
      if (!found.has(key)) found.set(key, finding);
    }
    const added: ObservedFinding[] = [];
    for (const [key, finding] of found) {
      const known = this.#findings.get(key);
      if (known === undefined && this.#findings.size >= maxFindings) continue;
      if (known === undefined) added.push(finding);
      this.#findings.set(key, { ...(known ?? finding), times: (known?.times ?? 0) + 1 });
    }
    return added;
  }

  clear(): void {
    this.#findings.clear();
    this.#exchanges = 0;
  }

  #findingsOf(exchange: Exchange): (readonly [place: string, finding: ObservedFinding])[] {
    return [
      ...requestFindings(exchange, this.#options),
      ...checkExchange(exchange, this.#options).map(
        ({ endpoint, at, expected, received }) =>
          [
            at === 'status' ? `${at} ${received}` : at,
            {
              side: 'response',
              endpoint,
              text: redactText(`${at}: expected ${expected}, received ${received}`),
            },
          ] as const,
      ),
    ];
  }
}

/** Returns the differences between a request and the contract, whatever its response. */
function requestFindings(
  { request }: Exchange,
  { api }: CheckOptions,
): (readonly [place: string, finding: ObservedFinding])[] {
  const { row, problem, issues } = matchRequest(request, { api });
  const path = request.url.replace(/[?#].*/s, '');
  const endpoint =
    row === undefined ? redactText(`${request.method} ${path}`) : `${row.method} ${row.path}`;
  if (problem !== undefined) {
    return [[problem.kind, { side: 'request', endpoint, text: redactText(problem.message) }]];
  }
  return issues.map(({ path: names, message }) => {
    const place = names.join('.') || 'parameters';
    return [place, { side: 'request', endpoint, text: `${place}: ${redactText(message)}` }];
  });
}
