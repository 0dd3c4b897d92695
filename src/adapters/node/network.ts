import { globalAgent as httpAgent } from 'node:http';
import { globalAgent as httpsAgent } from 'node:https';
import { http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { answerFetch } from '../fetch.ts';
import type { Listeners } from './listeners.ts';

/**
 * Intercepts `fetch`, `node:http` and the clients built on them, with MSW. All listeners share one MSW server, because a
 * second server would take the requests of the first.
 */
export class NetworkInterception {
  readonly #listeners: Listeners;
  #server: ReturnType<typeof setupServer> | undefined;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  open(): void {
    if (this.#server !== undefined) return;
    this.#server = setupServer(http.all('*', ({ request }) => this.#answer(request)));
    this.#server.listen();
  }

  close(): void {
    if (this.#server === undefined) return;
    this.#server.close();
    this.#server = undefined;
    dropIdleSockets();
  }

  #answer(request: Request): Response | Promise<Response> {
    const owner = this.#listeners.ownerOf(request);
    if (owner === undefined) return passthrough();
    if (!(owner instanceof Error)) return answerFetch(owner.backOffice, request, owner.baseUrl);
    // oxlint-disable-next-line no-console -- a network error carries no message to the client
    console.error(owner.message);
    return Response.error();
  }
}

/** Closes the intercepted keep-alive sockets, which have no peer any more. */
function dropIdleSockets(): void {
  for (const { freeSockets } of [httpAgent, httpsAgent]) {
    for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
  }
}
