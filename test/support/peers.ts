import { createServer, type RequestListener } from 'node:http';
import type { createClient } from 'redis';
import type { Answered } from './office.ts';
import { ask, listen } from './raw-http.ts';

/** Sends a request of a session, with headers that `fetch` would not send. */
export async function callAs(
  session: string,
  { url }: { readonly url: string },
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const needed = {
    'x-backlot-session': session,
    ...(text !== undefined && { 'content-type': 'application/json' }),
  };
  return ask(url, line, { ...needed, ...headers }, text);
}

/** Has a server of this test be the owner of a session: what a server does that has ended, or a hostile one. */
export async function ownSession(
  client: ReturnType<typeof createClient>,
  session: string,
  listener: RequestListener,
  lease: number,
): Promise<void> {
  const url = await listen(createServer(listener));
  await client.hSet(`backlot:session:${session}`, { o: session, f: '1', r: '1' });
  for (const key of [`lease:${session}`, `alive:${url}`])
    await client.set(`backlot:${key}`, url, { expiration: { type: 'PX', value: lease } });
}
