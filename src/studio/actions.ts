import type { Client } from './client.ts';
import type { Notices } from './notices.ts';
import { messageOf } from './reply-message.ts';
import type { ShopState } from './shop-state.ts';
import type { Reply } from './source.ts';

interface ActionParts {
  readonly client: Client;
  readonly notices: Notices;
  readonly shop: ShopState;
}

/** The actions of a studio's user on its shop. */
export class Actions {
  readonly #parts: ActionParts;

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  /**
   * Runs a write. Shows what it did, or the error as the server describes it.
   *
   * @param title what is done, for a person: `Order 105: addressing`
   * @param line of the request: `PUT /api/checkouts/105`
   * @param send sends it in another way than `Source.call`
   * @returns the reply, undefined if it is an error
   */
  async act<Body>(
    title: string,
    line: string,
    body?: unknown,
    send = () => this.#parts.client.call<Body>(line, body),
  ): Promise<Reply<Body> | undefined> {
    const { notices, shop } = this.#parts;
    try {
      const reply = await send();
      if (reply.status === 401) notices.needsToken.value = true;
      if (reply.status >= 400) {
        notices.show(`${title}: ${messageOf(reply)}`);
        return undefined;
      }
      const entry = shop.hasHistory.value ? madeBy(line, reply) : undefined;
      notices.shown.value = { kind: 'done', text: title, entry };
      // A reset, a restore or the clock, which are no events of the store API.
      shop.isAll ||= line.includes('/_backlot/');
      shop.changed('own');
      return reply;
    } catch (error) {
      notices.show(error);
      return undefined;
    }
  }

  /** Restores the state before or after an entry. */
  async rewind(id: number, to: 'before' | 'after'): Promise<void> {
    const title = to === 'before' ? `Went back to before #${id}` : `Went to #${id}`;
    await this.act(title, `POST /_backlot/journal/${id}/rewind`, { to });
  }
}

/** Returns the id of the entry that a write has made, if its reply names it. */
function madeBy(line: string, { headers }: Reply<unknown>): number | undefined {
  const id = headers['x-backlot-entry'];
  return id === undefined || line.startsWith('GET ') ? undefined : Number(id);
}
