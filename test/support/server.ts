import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice, StoreOptions } from '../../src/shop/office/store-office.ts';
import type { ServerRequest } from '../../src/engine/sessions/request-target.ts';
import {
  openSessions,
  type SessionOptions,
  type Server,
} from '../../src/engine/sessions/server.ts';
import type { ApiResponse } from '../../src/engine/rest/message.ts';
import type { Answered } from './office.ts';

export interface TestServer {
  readonly sessions: Server;
  /** Its shared back office. */
  readonly shared: StoreOffice;
  /** Sends a request: `call('POST /_backlot/sessions', { name: 'ada' })`. */
  readonly call: (
    line: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Answered;
  /** Sends a request as `call` does, with a base path or over https. */
  readonly callAt: (
    place: Pick<ServerRequest, 'basePath' | 'secure'>,
    line: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Answered;
  /** Advances real time. */
  readonly pass: (seconds: number) => void;
}

/** Opens a server in plain values, without a socket. Its real time changes only by `pass`. */
export function openServer(options: StoreOptions & SessionOptions = {}): TestServer {
  let now = 0;
  const milliseconds = (): number => now;
  const shared = openStoreOffice({ milliseconds, ...options });
  const sessions = openSessions(shared, {
    milliseconds,
    ...options,
    sessions: options.sessions,
  });
  const callAt: TestServer['callAt'] = (place, line, body, headers = {}) => {
    const [method = 'GET', url = '/'] = line.split(' ');
    const json = body !== undefined && { 'content-type': 'application/json' };
    const answer = sessions.answer({
      ...place,
      method,
      url,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { ...answer, body: read(answer) };
  };
  return {
    sessions,
    shared,
    pass: (seconds) => void (now += seconds * 1000),
    call: (...sent) => callAt({}, ...sent),
    callAt,
  };
}

function read({ headers, body }: ApiResponse): unknown {
  if (body === undefined || headers['content-type']?.includes('json') === false) return body;
  return JSON.parse(body);
}

/** Names the session of a request in its header. */
export function as(session: string): Readonly<Record<string, string>> {
  return { 'x-backlot-session': session };
}
