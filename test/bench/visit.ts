import type { ApiResponse } from '../../src/engine/rest/message.ts';

/** An expensive request and the requests before it. */
export interface Visit {
  readonly name: string;
  readonly prepare?: (send: Send) => Promise<unknown>;
  /** The request, or a function that makes it from earlier responses. */
  readonly request: Sent | ((send: Send) => Promise<Sent>);
}

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly type?: string;
}

/** Maximum sizes that a server accepts, in bytes. Node.js limits the head. */
export interface Room {
  readonly body: number;
  readonly import: number;
  readonly head: number;
  /** Whether the number of records of a session is limited. */
  readonly isDemo: boolean;
}

export type Send = (request: Sent) => Promise<ApiResponse>;

export const json = 'application/json';

export function post(url: string, body: object): Sent {
  return { method: 'POST', url, body: JSON.stringify(body), type: json };
}

export function put(url: string, body: object): Sent {
  return { ...post(url, body), method: 'PUT' };
}

export async function times(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at++) await work(at);
}

/** Returns as many entries as the size allows. */
export function filled(size: number, entry: (at: number) => string, between = ','): string {
  const entries: string[] = [];
  let length = 40;
  for (let at = 0; ; at++) {
    const one = entry(at);
    length += one.length + between.length;
    if (length > size) return entries.join(between);
    entries.push(one);
  }
}
