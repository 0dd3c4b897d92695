import { rootsOf } from '../../engine/definition/api-roots.ts';
import { asAddress, isBelow } from '../../engine/lib/api-path.ts';
import type { BackOffice } from '../../engine/office/back-office.ts';
import { redactUrl } from '../../engine/journal/redaction.ts';
import { closestEndpoint } from '../../engine/rest/closest-row.ts';
import { withPage } from '../../engine/lib/error-page.ts';

/**
 * The treatment of a request that no back office answers: `error` rejects it, `warn` logs a warning and sends it to the
 * network, `bypass` sends it to the network. A function is called with the request and a message that names the closest
 * endpoint; if it throws, the request is rejected.
 */
export type UnhandledRequest =
  | 'error'
  | 'warn'
  | 'bypass'
  | ((request: SentRequest, message: string) => void);

/** A request before its body is read. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
}

/** The requests that a back office answers. */
export interface CoveredPlace {
  readonly baseUrl: string;
  readonly backOffice: Pick<BackOffice, 'shop'>;
}

/**
 * Applies the chosen treatment to a request that no back office answers.
 *
 * @returns the error to reject it with, or undefined to send it to the network
 */
export function unhandled(
  choice: UnhandledRequest,
  request: SentRequest,
  place: CoveredPlace,
): Error | undefined {
  return treat(choice, request, () => describe(request, place));
}

/** Does the same as `unhandled`, for a request that a back office covers and cannot intercept. */
export function unreachable(choice: UnhandledRequest, request: SentRequest): Error | undefined {
  const { method, url } = request;
  return treat(choice, request, () =>
    withPage(
      'undici-client',
      `Backlot cannot intercept ${method} ${redactUrl(url)}, because an undici client with connections of its own sends it. Pass office.dispatcher() as its dispatcher.`,
    ),
  );
}

/** Returns the error of a request whose back office is closed, although others may listen. */
export function tooLate({ method, url }: SentRequest): Error {
  return new TypeError(
    withPage(
      'late-request',
      `${method} ${redactUrl(url)} is sent after its test has ended: the back office of the test is closed. Await it in the test, and stop timers at its end.`,
    ),
  );
}

function treat(
  choice: UnhandledRequest,
  request: SentRequest,
  describeIt: () => string,
): Error | undefined {
  if (choice === 'bypass') return undefined;
  const message = describeIt();
  if (choice === 'error') return new TypeError(message);
  if (choice === 'warn') {
    // oxlint-disable-next-line no-console -- the option 'warn' requests it
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

function describe({ method, url }: SentRequest, { baseUrl, backOffice }: CoveredPlace): string {
  const { api } = backOffice.shop;
  const { pathname, hostname } = new URL(url);
  // The most frequent cause is a wrong base URL.
  const address = asAddress(api.path, pathname);
  const path = isBelow(api.path, address) ? address : api.path + pathname;
  const closest = closestEndpoint(method, path, api);
  const hint = closest === undefined ? '' : ` The closest endpoint is ${closest}.`;
  const where =
    baseUrl === '*' ? `${rootsOf(api).join(', ')} of any origin` : `${baseUrl}${api.path}`;
  const option = isLoopback(hostname)
    ? " If a server is to answer it, listen with onUnhandledRequest: 'bypass'."
    : '';
  return withPage(
    'unhandled-request',
    `No back office answers ${method} ${redactUrl(url)}: it answers under ${where}.${hint}${option}`,
  );
}

/** Whether a host name is that of this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
