import { forwardSession } from 'backlot/session';
import { headers } from 'next/headers';

const store = process.env.STORE_URL ?? 'http://127.0.0.1:4000';

/**
 * Calls the store API in the session of the page.
 *
 * @returns whether it succeeded, and the body: that of a failure has a `message`
 */
export async function call(method, path, body) {
  const response = await fetch(`${store}/api${path}`, {
    method,
    headers: { ...forwardSession(await headers()), 'content-type': 'application/json' },
    cache: 'no-store',
    signal: AbortSignal.timeout(10_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (response === undefined) return failure('The store cannot be reached.');
  const answer = await response.json().catch(() => undefined);
  if (answer === undefined) return failure('The response of the store cannot be read.');
  return { ok: response.ok, body: answer };
}

function failure(message) {
  return { ok: false, body: { message } };
}
