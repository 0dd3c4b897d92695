import type { ApiAnswer } from './message.ts';

/**
 * The same answer with links that lead to where the interface is mounted: `/s/ada/api/orders/3`, in the body and in
 * `Location`. JSON escapes quotes in texts, so only links look like links.
 *
 * @param prefix what stands in front of `/api`; empty where nothing does
 */
export function prefixLinks(answer: ApiAnswer, prefix: string): ApiAnswer {
  if (prefix === '') return answer;
  const { body, bodyOfGet, ...rest } = withLocation(answer, prefix);
  return {
    ...rest,
    ...(body !== undefined && { body: relinked(body, prefix) }),
    ...(bodyOfGet !== undefined && { bodyOfGet: relinked(bodyOfGet, prefix) }),
  };
}

function relinked(body: string, prefix: string): string {
  return body.replaceAll('"href":"/api/', () => `"href":"${prefix}/api/`);
}

/** The same answer with a `Location` that leads there, if it has one on this server. */
export function withLocation(answer: ApiAnswer, prefix: string): ApiAnswer {
  const { location } = answer.headers;
  if (prefix === '' || location === undefined || !own.test(location)) return answer;
  return { ...answer, headers: { ...answer.headers, location: `${prefix}${location}` } };
}

const own = /^\/(?:api|oauth|_backlot)(?=[/?#]|$)/;
