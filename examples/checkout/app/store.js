import { forwardSession } from 'backlot/session';
import { headers } from 'next/headers';

const store = process.env.STORE_URL ?? 'http://127.0.0.1:4000';

/** Calls the store API in the session of the page. Returns the status and the body. */
export async function call(method, path, body) {
  const response = await fetch(`${store}/api${path}`, {
    method,
    headers: { ...forwardSession(await headers()), 'content-type': 'application/json' },
    cache: 'no-store',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { ok: response.ok, body: await response.json() };
}
