import { expect } from 'vitest';
import type { Trace } from '../../src/engine/office/trace/trace-format.ts';
import type { HistorySummary } from '../../src/index.ts';
import type { Answered } from './office.ts';
import type { TestServer } from './server.ts';

/** What a reader is told of an order. */
export interface Told {
  readonly order: Readonly<Record<string, unknown>> | undefined;
  readonly tables: Readonly<Record<string, readonly { readonly id: number }[]>> | undefined;
  /** The way of the states of its records. */
  readonly moves: readonly Step[];
  /** Why it has its total. */
  readonly why: unknown;
}

interface Step {
  readonly machine: string;
  readonly id: number;
  readonly from?: string;
  readonly to: string;
}

/** A state of the shop: the entries that it comes from, the changes to undo, and what was told in it. */
export interface State {
  readonly effect: readonly number[];
  readonly line: readonly number[];
  /** Undefined if the test could not look in between. */
  readonly told: Told | undefined;
  /** What is told after a reset; undefined if the model does not know. */
  readonly start: Told | undefined;
}

/** A history as a model knows it. */
interface Life {
  /** The last entry before it began. */
  readonly begun: number;
  /** The last entry whose changes it may have lost. */
  readonly lost: number;
  /** By the entry after which the shop had them. */
  readonly states: ReadonlyMap<number, State>;
  readonly entries: ReadonlyMap<number, HistorySummary>;
  readonly now: State;
  /** The end of the time line. */
  readonly tip: State;
}

/** What a model has put aside, with what was true then. */
interface Saved<Content> {
  readonly content: Content;
  readonly life: Life;
}

/**
 * Follows the history of a session by what the control API tells of one order after each step, so that a test can compare what
 * it tells of that moment later.
 */
export class HistoryModel {
  readonly order: number;
  /** At least this number of changes is kept. */
  maxEntries: number;
  life: Life;
  readonly #server: TestServer;
  readonly #session: string;
  /** The option of the server; an opened trace can keep more. */
  readonly #maxEntries: number;
  #snapshot: State | undefined;
  #file: Saved<unknown> | undefined;
  #trace: Saved<Trace> | undefined;

  constructor(server: TestServer, session: string, order: number, maxEntries: number) {
    this.#server = server;
    this.#session = session;
    this.order = order;
    this.#maxEntries = maxEntries;
    this.maxEntries = maxEntries;
    const told = this.observe();
    this.life = beginning(0, { told, start: told });
  }

  call(line: string, body?: unknown): Answered {
    return this.#server.call(line, body, { 'x-backlot-session': this.#session });
  }

  /** The id of the newest entry. */
  get last(): number {
    return this.life.begun + this.life.states.size - 1;
  }

  /** Returns what is told of the order at an entry (default: the present). */
  observe(at?: number): Told {
    const query = at === undefined ? '' : `?at=${at}`;
    const past = this.call(`GET /_backlot/orders/${this.order}${query}`);
    const why = this.call(`GET /_backlot/orders/${this.order}/why${query}`);
    expect([200, 404]).toContain(past.status);
    const { order, tables, moves = [] } = past.body;
    return { order, tables, moves, why: why.status === 200 ? why.body : undefined };
  }

  /** Sends requests that change the order, other records or nothing. */
  send(line: string, body?: unknown, times = 1): void {
    for (let time = 0; time < times; time++) this.call(line, body);
    const fresh = this.#fresh();
    const newest = fresh.at(-1)?.id ?? this.last;
    let told: Told | undefined = this.life.now.told;
    for (let id = this.last + 1; id <= newest; id++) {
      const entry = fresh.find((one) => one.id === id);
      const isChange = entry !== undefined && (entry.by !== 'request' || entry.changed > 0);
      if (isChange) told = undefined;
      const { now } = this.life;
      const all = isChange ? [...now.line, id] : now.line;
      this.#add({ ...now, effect: [...now.effect, id], line: all, told }, entry, isChange);
    }
    const present = this.observe();
    // What is no entry changed nothing.
    if (this.life.now.told !== undefined) expect(present).toEqual(this.life.now.told);
    else this.#know(present);
  }

  /** Restores the state before or after an entry: of all entries the one with a number, counted from the newest. */
  rewind(back: number, to: 'before' | 'after'): void {
    const id = this.last - back;
    if (id <= this.life.begun) return;
    const { status, body } = this.call(`POST /_backlot/journal/${id}/rewind`, { to });
    const [then, target] = [to === 'before' ? id - 1 : id, this.#stateAfter(id, to)];
    if (status !== 200) {
      const { changesFrom } = this.call('GET /_backlot/timeline').body;
      if (then >= changesFrom - 1)
        expect(this.call(`GET /_backlot/journal/${id}`).status).toBe(404);
      expect(this.#fresh()).toEqual([]);
      return;
    }
    expect(body.id).toBe(this.last + 1);
    const isOnLine = isPrefix(target.line, this.life.tip.line);
    this.#add({ ...target, effect: [...target.effect, body.id] }, this.#fresh()[0], !isOnLine);
    this.#isAsThen(target.told);
    this.#know(this.observe());
  }

  /** Goes to the change before or after the present position. */
  step(direction: 'undo' | 'redo'): void {
    const { now, tip } = this.life;
    const id = direction === 'undo' ? now.line.at(-1) : tip.line[now.line.length];
    if (id !== undefined) this.rewind(this.last - id, direction === 'undo' ? 'before' : 'after');
  }

  take(): void {
    expect(this.call('POST /_backlot/snapshot', { name: 'one' }).status).toBe(201);
    this.#snapshot = this.life.now;
  }

  restore(): void {
    const { status } = this.call('POST /_backlot/snapshot/one/restore');
    expect(status).toBe(this.#snapshot === undefined ? 404 : 200);
    if (this.#snapshot === undefined) return;
    this.#replaced(this.#snapshot);
  }

  reset(): void {
    expect(this.call('POST /_backlot/reset').status).toBe(200);
    const { start } = this.life.now;
    this.#replaced({ effect: [], told: start, start });
  }

  export(): void {
    this.#file = { content: this.call('GET /_backlot/export').body, life: this.life };
  }

  import(): void {
    if (this.#file === undefined) return;
    expect(this.call('POST /_backlot/import', this.#file.content).status).toBe(200);
    const { start } = this.life.now;
    this.#replaced({ effect: [], told: this.#file.life.now.told, start });
  }

  trace(): void {
    this.#trace = { content: this.call('GET /_backlot/trace').body, life: this.life };
  }

  openTrace(): void {
    if (this.#trace === undefined) return;
    const { content, life } = this.#trace;
    expect(this.call('POST /_backlot/import', content).status).toBe(200);
    this.maxEntries = Math.max(this.maxEntries, content.entries.length);
    this.life = tracedLife(life, content);
    this.#forgetSnapshot();
    expect(this.#fresh()).toEqual([]);
    this.#isAsThen(life.now.told, 'moves');
  }

  clear(): void {
    this.call('DELETE /_backlot/journal');
    this.#beginAnew();
  }

  /** Has the session be saved to a store and loaded from it. */
  park(saveAndLoad: (server: TestServer, session: string) => void): void {
    saveAndLoad(this.#server, this.#session);
    this.maxEntries = this.#maxEntries;
    this.#beginAnew();
  }

  end(): void {
    this.#server.sessions.sessions.forget(this.#session);
  }

  #beginAnew(): void {
    const { told } = this.life.now;
    this.life = beginning(this.last, this.life.now);
    this.#forgetSnapshot();
    expect(this.#fresh()).toEqual([]);
    this.#isAsThen(told, 'moves');
    this.#know(this.observe());
  }

  /** The ids of its entries mean others now, or none. */
  #forgetSnapshot(): void {
    if (this.#snapshot !== undefined) this.#snapshot = { ...this.#snapshot, effect: [] };
  }

  #replaced({ effect, told, start }: Omit<State, 'line'>): void {
    const [entry, ...others] = this.#fresh();
    expect([entry?.id, others]).toEqual([this.last + 1, []]);
    const id = this.last + 1;
    const line = [...this.life.now.line, id];
    this.#add({ effect: [...effect, id], line, told: undefined, start }, entry, true);
    this.#isAsThen(told, 'moves');
    this.#know(this.observe());
  }

  /** @param except what the history may know less of than then */
  #isAsThen(then: Told | undefined, except?: 'moves'): void {
    if (then === undefined) return;
    const { moves, ...present } = this.observe();
    const { moves: before, ...others } = then;
    expect(present).toEqual(others);
    if (except === undefined) expect(moves).toEqual(before.slice(before.length - moves.length));
  }

  #add(state: State, entry: HistorySummary | undefined, isTip: boolean): void {
    const { states, entries, tip } = this.life;
    const id = this.last + 1;
    this.life = {
      ...this.life,
      states: new Map([...states, [id, state]]),
      entries: entry === undefined ? entries : new Map([...entries, [id, entry]]),
      now: state,
      tip: isTip ? state : tip,
    };
  }

  /** Adds what is told to the present state. */
  #know(told: Told): void {
    const { states, now, tip } = this.life;
    const known = { ...now, told };
    this.life = {
      ...this.life,
      states: new Map([...states, [this.last, known]]),
      now: known,
      tip: tip === now ? known : tip,
    };
  }

  #stateAfter(id: number, to: 'before' | 'after'): State {
    return this.life.states.get(to === 'before' ? id - 1 : id)!;
  }

  /** Returns the entries that the model does not know. */
  #fresh(): readonly HistorySummary[] {
    return this.call(`GET /_backlot/journal?view=summary&since=${this.last}`).body.summaries;
  }
}

function beginning(begun: number, { told, start }: Pick<State, 'told' | 'start'>): Life {
  const now: State = { effect: [], line: [], told, start };
  return { begun, lost: begun, states: new Map([[begun, now]]), entries: new Map(), now, tip: now };
}

/** Returns the history of a trace: positions count from its first entry, and a reset restores the state that it begins with. */
function tracedLife(life: Life, { lost, entries }: Trace): Life {
  const first = entries[0]?.id ?? lost + 1;
  const hasReset = Array.from(life.entries.values()).some(({ by }) => by === 'reset');
  const starts = new Set(Array.from(life.states.values(), (state) => state.start));
  const start = hasReset || starts.size > 1 ? undefined : life.states.get(lost)?.told;
  const traced = (state: State): State => {
    return { ...state, line: state.line.filter((id) => id >= first), start };
  };
  const states = new Map(Array.from(life.states, ([id, state]) => [id, traced(state)]));
  return { ...life, lost, states, now: traced(life.now), tip: traced(life.tip) };
}

export function isPrefix(part: readonly number[], all: readonly number[]): boolean {
  return part.every((one, at) => all[at] === one);
}
