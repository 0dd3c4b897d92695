import type { ServerResponse } from 'node:http';

/** The turns after the one that has begun, by connection. */
const queues = new WeakMap<object, (() => void)[]>();

/**
 * The turn of a request among those of its connection, which are performed in their order (RFC 9112, 9.3.2): a client may
 * send a request before it has the response to the one before.
 */
export class Turn {
  readonly #response: ServerResponse;
  #hasEnded = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Calls a function that performs the request, once those before it have been performed. */
  begin(perform: () => void): void {
    const { socket } = this.#response.req;
    const others = queues.get(socket);
    if (others !== undefined) return void others.push(() => this.begin(perform));
    perform();
    // Performed at once, as are most requests without a body.
    if (this.#hasEnded) return;
    queues.set(socket, []);
    this.#response.once('close', () => this.end());
  }

  /** Called when the request has been performed. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { socket } = this.#response.req;
    const others = queues.get(socket) ?? [];
    queues.delete(socket);
    for (const begin of others) begin();
  }
}
