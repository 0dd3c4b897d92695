import { createBackOffice, type MountedBackOffice, type MountOptions } from '../../src/index.ts';

/** A parsed response. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // Each test knows the type of the body.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export type Call = (
  line: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answered>;

export interface Office extends MountedBackOffice {
  /** Sends a request through `fetch`: `call('POST /api/users/', { firstName: 'Ada' })`. */
  readonly call: Call;
}

/** Opens a back office for one test. */
export function openOffice(options: MountOptions = {}): Office {
  const office = createBackOffice(options);
  return Object.assign(office, { call: caller((url, init) => office.fetch(url, init)) });
}

/** Returns a function that sends requests through any `fetch`. */
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

/** Returns all rows as text, which a rejected request does not change. */
export function contents({ db }: Office): string {
  return JSON.stringify(Object.entries(db).map(([name, table]) => [name, table.all()]));
}
