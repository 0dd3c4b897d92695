import type { SummariesView } from '../engine/control/endpoints/journal.ts';
import type { Client } from './client.ts';
import type { EntryList } from './entry-list.ts';
import type { Notice, Notices, Rewound } from './notices.ts';
import type { OwnEntries } from './own-entries.ts';
import { messageOf } from './reply-message.ts';
import type { ShopState } from './shop-state.ts';
import type { Reply } from './source.ts';

interface ActionParts {
  readonly client: Client;
  readonly notices: Notices;
  readonly own: OwnEntries;
  readonly shop: ShopState;
  readonly history: EntryList;
}

/** What the user of a studio does to its shop. */
export class Actions {
  readonly #parts: ActionParts;

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  /**
   * Runs a write. Shows what it did, with a button that undoes it, or the error as the server describes it.
   *
   * @param title what is done, for a person: `Order 105: addressing`
   * @param line of the request: `PUT /api/checkouts/105`
   * @param send sends it in another way than `Source.call`
   * @param rewound what it undoes or brings back
   * @returns the reply, undefined if it is an error
   */
  async act<Body>(
    title: string,
    line: string,
    body?: unknown,
    send = () => this.#parts.client.call<Body>(line, body),
    rewound?: Rewound,
  ): Promise<Reply<Body> | undefined> {
    const { notices, own, shop, history } = this.#parts;
    const before = history.lastId.value;
    own.expect(before);
    try {
      const reply = await send();
      if (reply.status === 401) notices.needsToken.value = true;
      if (reply.status >= 400) {
        notices.shown.value = { kind: 'error', text: `${title}: ${messageOf(reply)}` };
        return undefined;
      }
      const done = { kind: 'done', text: title, ...rewound } as const;
      notices.shown.value = done;
      // A reset, a restore or the clock, which are no events of the store API.
      shop.isAll ||= line.includes('/_backlot/');
      shop.changed('own');
      await this.#offerUndo(line, before, done);
      return reply;
    } catch (error) {
      notices.show(error);
      return undefined;
    } finally {
      own.expect();
    }
  }

  /** Restores the state before or after an entry. */
  async rewind(id: number, to: 'before' | 'after'): Promise<void> {
    const title = to === 'before' ? `Went back to before #${id}` : `Went to #${id}`;
    await this.act(title, `POST /_backlot/journal/${id}/rewind`, { to });
  }

  /** Undoes an action, or brings back what one has undone, and says which: `Undone: Order 105: addressing`. */
  async undo(id: number, what: string): Promise<void> {
    await this.#rewindAs({ what, way: 'undone' }, id, 'before');
  }

  /** Brings an action back that was undone. @param to where that leads: after the action, or before what has undone it */
  async redo(id: number, what: string, to: 'before' | 'after'): Promise<void> {
    await this.#rewindAs({ what, way: 'redone' }, id, to);
  }

  async #rewindAs(rewound: Rewound, id: number, to: 'before' | 'after'): Promise<void> {
    const title = `${rewound.way === 'undone' ? 'Undone' : 'Redone'}: ${rewound.what}`;
    await this.act(title, `POST /_backlot/journal/${id}/rewind`, { to }, undefined, rewound);
  }

  /** Adds "undo" to the notice if the write is an entry of the history. */
  async #offerUndo(line: string, before: number, done: Notice): Promise<void> {
    const { client, notices, own, shop, history } = this.#parts;
    if (!shop.hasHistory.value) return;
    const path = `/_backlot/journal?view=summary&since=${before}&limit=200`;
    const { status, body } = await client.call<SummariesView>(`GET ${path}`);
    if (status !== 200) return;
    const made =
      body.summaries.find((entry) => entry.title === line.split('?')[0]) ??
      body.summaries.find(({ by }) => by !== 'request');
    if (made !== undefined) own.add(made);
    own.expect();
    history.listOwn(body.summaries, made);
    if (made !== undefined && (made.by !== 'request' || made.changed > 0))
      notices.shown.value = { ...done, undo: made.id };
  }
}
