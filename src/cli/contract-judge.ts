import type { ApiDefinition } from '../engine/definition/api.ts';
import { isBelow, nameOf } from '../engine/lib/api-path.ts';
import { endpointNames } from '../suite/endpoint-names.ts';
import { faultOf, type JudgedResponse, type MockFault, type MockJudge } from '../suite/mocks.ts';
import type { ReceivedResponse } from '../suite/trials.ts';
import { matchRequest } from '../engine/definition/match-request.ts';
import { checkExchange } from '../verify/drift/exchange.ts';
import type { Finding } from '../verify/drift/finding.ts';

/** Judges responses by the contract of a store API. */
export class ContractJudge implements MockJudge {
  readonly #api: ApiDefinition;
  readonly notes: readonly string[] = [];

  constructor(api: ApiDefinition) {
    this.#api = api;
  }

  judge({ method, url, status, body }: ReceivedResponse): JudgedResponse | undefined {
    const api = this.#api;
    const { pathname, search } = new URL(url);
    if (!isBelow(api.path, pathname)) return undefined;
    const named = nameOf(api.path, pathname);
    const headers = { 'content-type': 'application/json' };
    const found = checkExchange(
      { request: { method, url: named + search }, response: { status, headers, body: body ?? '' } },
      { api },
    );
    const row = matchRequest({ method, url: named }, { api }).row;
    const endpoint = row === undefined ? endpointName(method, named) : `${method} ${row.path}`;
    const subject = `${endpoint} ${status}`;
    // A server may always fail.
    if (status >= 500) return { subject, faults: [] };
    return { subject, faults: found.filter((one) => isOfMock(one, body)).map(mockFault) };
  }

  whyNone(example: string): string {
    return `No response is of the store API at ${this.#api.path}. The first is of ${example}. For another API, pass its document: --openapi openapi.yaml`;
  }
}

const endpointName = endpointNames();

/** Whether a finding follows from what is known: neither headers nor what the client has sent is. */
function isOfMock({ kind, expected }: Finding, body: string | undefined): boolean {
  if (kind === 'header') return false;
  return kind === 'status' ? !expected.startsWith('400: ') : body !== undefined;
}

function mockFault({ kind, at, expected, received }: Finding): MockFault {
  const path = at
    .replace(/^body\.?/, '')
    .replaceAll(/\[\d+\]/g, '.[]')
    .split('.');
  if (kind === 'status')
    return { kind, field: '', text: `expected ${expected}, received ${received}` };
  const isUnknown = expected === 'no such field';
  const isMissing = received === 'nothing';
  const difference = isUnknown ? 'unknown' : isMissing ? 'missing' : 'value';
  const keys = path.filter((key) => key !== '');
  return faultOf({ kind: difference, path: keys, expected, received }, received);
}
