import { createBackOffice, type MountedBackOffice } from '../../src/index.ts';

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

export interface Calls {
  /** Sends a request through `fetch`: `call('POST /api/users/', { firstName: 'Ada' })`. */
  readonly call: Call;
}

export type Office = MountedBackOffice & Calls;

/** Opens a back office for one test. */
export function openOffice<Tables = unknown>(
  options: Parameters<typeof createBackOffice<Tables>>[0] = {},
): ReturnType<typeof createBackOffice<Tables>> & Calls {
  const office = createBackOffice<Tables>(options);
  const { fetch } = office as object as MountedBackOffice;
  return Object.assign(office, { call: caller(fetch) });
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
export function contents({ db }: object & { readonly db: object }): string {
  return JSON.stringify(
    Object.entries(db as MountedBackOffice['db']).map(([name, table]) => [name, table.all()]),
  );
}
