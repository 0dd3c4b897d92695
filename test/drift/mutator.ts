import { matchRequest } from '../../src/engine/definition/match-request.ts';
import { viewsIn } from '../../src/verify/drift/shape.ts';
import { views } from '../../src/shop/resources/endpoint.ts';
import { ofStore } from '../support/drift.ts';

/** A response that a mutant changes in place. */
export interface Answer {
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  readonly query: string;
  /** The parsed body of the request. */
  readonly sent: Body;
  /** Every object with the shape of a view: by the name of the view. */
  readonly of: (view: string) => Body[];
  status: number;
  headers: Record<string, string>;
  body: Body;
}
// The tests know the bodies.
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

/** One change of a server. */
export interface Mutant {
  readonly name: string;
  readonly change: (answer: Answer) => void;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Returns a `fetch` whose responses have the change of a mutant. */
export function mutated(send: Send, { change }: Mutant): Send {
  return async (url, init) => {
    const response = await send(url, init);
    const text = await response.text();
    const { pathname, search } = new URL(url);
    const method = init.method ?? 'GET';
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    const body: unknown = isJson ? JSON.parse(text) : undefined;
    const sentText = typeof init.body === 'string' && /^[{[]/.test(init.body) ? init.body : '{}';
    let sent: unknown = {};
    try {
      sent = JSON.parse(sentText);
    } catch {
      // A mutant sees no malformed bodies.
    }
    const answer: Answer = {
      method,
      path: pathname,
      query: decodeURIComponent(search),
      sent,
      of: (view) => {
        const headers = init.headers as Record<string, string>;
        const request = { method, url: `${pathname}${search}`, headers, body: sentText };
        const { row } = matchRequest(request, ofStore);
        if (row?.answer === undefined || response.status >= 400 || body === undefined) return [];
        return viewsIn(row.answer, body, views).flatMap((one) =>
          one.view === view ? [one.value] : [],
        );
      },
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
    };
    change(answer);
    const isEmpty = answer.body === undefined || [204, 304].includes(answer.status);
    return new Response(
      isEmpty || method === 'HEAD'
        ? null
        : typeof answer.body === 'string'
          ? answer.body
          : JSON.stringify(answer.body),
      {
        status: answer.status,
        headers: answer.headers,
      },
    );
  };
}

export function mutant(name: string, change: Mutant['change']): Mutant {
  return { name, change };
}

/** A mutant of the responses with some status. */
export function on(name: string, line: RegExp, status: number, change: Mutant['change']): Mutant {
  return mutant(name, (answer) => {
    if (answer.status === status && line.test(`${answer.method} ${answer.path}`)) change(answer);
  });
}
