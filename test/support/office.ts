import { createBackOffice, type MountedBackOffice, type MountOptions } from '../../src/index.ts';

/** An answer as a client sees it. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // What an answer holds is for each test to know.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export type Call = (
  line: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answered>;

export interface Office extends MountedBackOffice {
  /** Sends a request as a page would: `call('POST /api/users/', { firstName: 'Ada' })`. */
  readonly call: Call;
}

/** A back office of its own for one test. */
export function openOffice(options: MountOptions = {}): Office {
  const office = createBackOffice(options);
  return Object.assign(office, { call: caller((url, init) => office.fetch(url, init)) });
}

/** Speaks to an interface through anything that fetches. */
export function caller(
  send: (url: string, init: RequestInit) => Promise<Response>,
  origin = 'http://shop.test',
): Call {
  return async (line, body, headers = {}) => {
    const [method = 'GET', url = '/'] = line.split(' ');
    const json = body !== undefined && { 'content-type': 'application/json' };
    const response = await send(`${origin}${url}`, {
      method,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
}

/** Everything that is stored, as text: equal before and after a request that left no trace. */
export function contents({ db }: Office): string {
  return JSON.stringify(Object.entries(db).map(([name, table]) => [name, table.all()]));
}
