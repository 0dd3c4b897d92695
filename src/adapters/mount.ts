import type { HttpHandler } from 'msw';
import {
  openBackOffice,
  type BackOffice,
  type BackOfficeOptions,
} from '../office/open-back-office.ts';
import { answerFetch, answerGet } from './fetch.ts';
import { createHandlers } from './handlers.ts';

/** What a mounted back office is opened with; all of it may be left out. */
export interface MountOptions extends BackOfficeOptions {
  /** What stands in front of `/api`: `https://shop.example`, `/backend`; any origin if not given. */
  readonly baseUrl?: string | undefined;
}

/** A back office with doors for clients that speak `fetch`. */
export interface MountedBackOffice extends BackOffice {
  /** MSW handlers, one for each endpoint: for `setupServer(...handlers)` or `setupWorker(...handlers)`. */
  readonly handlers: HttpHandler[];
  /** Answers like the global `fetch`, without any network. */
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
}

/**
 * Opens a back office of its own: nothing that happens in it is seen by another.
 *
 * @throws Problem `missing` for a scenario that is not there, `invalid` with every mistake of one that is given
 */
export function createBackOffice(options: MountOptions = {}): MountedBackOffice {
  const { baseUrl = '*', ...rest } = options;
  const backOffice = openBackOffice({ milliseconds: () => performance.now(), ...rest });
  const mounted = Object.assign(backOffice, {
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const absolute = typeof input === 'string' ? new URL(input, 'http://localhost') : input;
      if (init === undefined && absolute instanceof URL) {
        return delivered(await answerGet(backOffice, absolute, baseUrl));
      }
      const request = new Request(absolute, init);
      const response = await answerFetch(backOffice, request, baseUrl);
      request.signal.throwIfAborted();
      return delivered(response);
    },
  });
  return withHandlers(mounted, () => createHandlers(backOffice, baseUrl));
}

/** A dropped connection is no answer to a client. */
function delivered(response: Response): Response {
  if (response.type === 'error') throw new TypeError('Failed to fetch');
  return response;
}

/** Handlers take longer to make than a back office, and most are never asked for. */
function withHandlers<Office extends object>(
  office: Office,
  make: () => HttpHandler[],
): Office & { readonly handlers: HttpHandler[] } {
  let made: HttpHandler[] | undefined;
  const handlers = { configurable: true, enumerable: true, get: () => (made ??= make()) };
  return Object.defineProperty(office, 'handlers', handlers) as ReturnType<
    typeof withHandlers<Office>
  >;
}
