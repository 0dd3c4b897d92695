import type { ApiResponse } from '../../src/rest/message.ts';

/** One request, made to cost much, and what is sent before it. */
export interface Visit {
  readonly name: string;
  readonly prepare?: (send: Send) => Promise<unknown>;
  /** The request, or what makes it of what the shop answers. */
  readonly request: Sent | ((send: Send) => Promise<Sent>);
}

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly type?: string;
}

/** How much a server takes, in bytes; the head is what Node takes. */
export interface Room {
  readonly body: number;
  readonly import: number;
  readonly head: number;
  /** Whether sessions can hold only so many records. */
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

/** As many entries as there is room for. */
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
