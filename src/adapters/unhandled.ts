import { endpoints } from '../office/open-back-office.ts';
import { redactUrl } from '../journal/redaction.ts';
import { closestRow } from '../rest/router.ts';

/**
 * What becomes of a request that no back office answers: `error` refuses it, `warn` tells of it and lets it go on,
 * `bypass` lets it go on; a function hears of it, with a message that names the closest endpoint, and refuses it by
 * throwing.
 */
export type UnhandledRequest =
  | 'error'
  | 'warn'
  | 'bypass'
  | ((request: { readonly method: string; readonly url: string }, message: string) => void);

/**
 * Deals with a request that nobody answers.
 *
 * @returns the error to refuse it with; undefined where it may go on
 */
export function unhandled(
  choice: UnhandledRequest,
  request: { readonly method: string; readonly url: string },
  baseUrl: string,
): Error | undefined {
  if (choice === 'bypass') return undefined;
  const message = describe(request, baseUrl);
  if (choice === 'error') return new TypeError(message);
  if (choice === 'warn') {
    // oxlint-disable-next-line no-console -- what was asked for
    console.warn(message);
    return undefined;
  }
  try {
    choice(request, message);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new TypeError(String(error), { cause: error });
  }
}

function describe({ method, url }: { method: string; url: string }, baseUrl: string): string {
  const { pathname } = new URL(url);
  // Most often the base URL is what is wrong.
  const path = pathname.startsWith('/api/') ? pathname : `/api${pathname}`;
  const closest = closestRow(method, path, endpoints);
  const hint =
    closest === undefined ? '' : ` The closest endpoint is ${closest.method} ${closest.path}.`;
  const where = baseUrl === '*' ? '/api of any origin' : `${baseUrl}/api`;
  return `No back office answers ${method} ${redactUrl(url)}: it answers under ${where}.${hint}`;
}
