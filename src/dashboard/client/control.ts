import { byId } from './dom.ts';

/** The responses of the control API, as far as the dashboard shows them. */
export interface Responses {
  readonly health: {
    readonly scenario: string;
    /** The session that the page shows. */
    readonly session?: { readonly scenario?: string };
  };
  readonly scenarios: readonly { readonly name: string; readonly description: string }[];
  readonly clock: { readonly now: string; readonly mode: 'frozen' | 'ticking' };
  readonly snapshot: readonly { readonly name: string; readonly now: string }[];
  readonly faults: readonly Fault[];
  readonly holds: readonly HeldRequest[];
  readonly journal: { readonly entries: readonly Entry[]; readonly dropped: number };
  readonly sessions: {
    readonly sessions: readonly Session[];
    readonly dropped: readonly { readonly name: string; readonly reason: string }[];
  };
  readonly orders: readonly Order[];
}

export interface Fault {
  readonly id: number;
  readonly match: {
    readonly method?: string;
    readonly path?: string;
    readonly step?: string;
  };
  readonly first?: number;
  readonly every?: number;
  readonly probability?: number;
  readonly matched?: number;
  /** The former name of `matched`. */
  readonly fitted?: number;
}

export interface HeldRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly since: string;
}

export interface Entry {
  readonly id: number;
  /** The date-time of the request. */
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly step?: string | null;
  readonly request: unknown;
  /** Status 0 stands for a dropped connection. */
  readonly answer: { readonly status: number };
  readonly faults: readonly number[];
  readonly script: readonly number[];
}

export interface Session {
  readonly name: string;
  readonly scenario: string;
  readonly idle_seconds: number;
  readonly path: string;
}

export interface Order {
  readonly id: number;
  readonly number?: string | null;
  readonly email: string;
  readonly total: number;
  readonly currency: string;
  readonly state: string;
  readonly checkout_state: string;
  readonly awaits?: string | null;
}

export interface Transitions {
  readonly state: string;
  readonly transitions: readonly { readonly transition: string; readonly possible: boolean }[];
}

/** The URL that stands in front of `/_backlot/`. A page in a frame has a base URL instead of one of its own. */
const root = document.baseURI.replace(/\/_backlot\/?([?#].*)?$/, '');
const tokenKey = 'backlot-token';

export function saveToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

/** Reads a list or a state by its path under `/_backlot/`. */
export function get<Path extends keyof Responses>(path: Path): Promise<Responses[Path]> {
  return control('GET', path);
}

/** @throws Error with the message of the response if the status is not 2xx */
export async function control<Response>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Response> {
  const token = sessionStorage.getItem(tokenKey);
  const response = await fetch(`${root}/_backlot/${path}`, {
    method,
    headers: {
      ...(token !== null && { 'x-backlot-token': token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 401) byId('token', HTMLFormElement).hidden = false;
  if (!response.ok) {
    throw new Error(messageOf(text) ?? `${response.status} ${response.statusText}`);
  }
  return (text === '' ? undefined : JSON.parse(text)) as Response;
}

/** Returns the message of an error response with the first message of each invalid field. */
function messageOf(text: string): string | undefined {
  try {
    const { message, errors = {} } = JSON.parse(text) as { message: string; errors?: object };
    const fields = JSON.stringify(errors).match(/"errors":\["[^\]]*/g) ?? [];
    return [message, ...fields.map((field) => field.slice('"errors":['.length))].join(': ');
  } catch {
    return undefined;
  }
}
