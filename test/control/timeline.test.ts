import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { openServer, type TestServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };
type Call = TestServer['call'];
interface Summary {
  readonly id: number;
  readonly position?: number;
  readonly of: number;
  readonly inEffect: boolean;
}

/** What a reader of the history expects of a state: the entries that it comes from, and the changes to undo. */
interface State {
  readonly effect: readonly number[];
  readonly line: readonly number[];
  /** The order 121 with its items then, and the moves of all these. */
  readonly order: unknown;
}

const act = fc.oneof(
  { weight: 3, arbitrary: fc.constant('POST /api/orders/121/items/') },
  { weight: 2, arbitrary: fc.constant('POST /_backlot/orders/121/next') },
  { weight: 1, arbitrary: fc.constantFrom('GET /api/orders/121', 'PUT /api/orders/121') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('PUT /_backlot/clock', 'PATCH /_backlot/tables/orders/121'),
  },
  { weight: 2, arbitrary: fc.constantFrom('undo', 'redo', 'rewind') },
  { weight: 1, arbitrary: fc.constantFrom('take', 'restore', 'reset') },
);

const bodies: Readonly<Record<string, object>> = {
  'POST /api/orders/': cart,
  'POST /api/orders/121/items/': { variant: 1, quantity: 1 },
  'POST /_backlot/orders/121/next': {},
  'PUT /api/orders/121': { notes: 1 },
  'PUT /_backlot/clock': { advance: 'PT1M' },
};

/** Follows a history by what it lists, and by what the shop contains after each entry. */
class Model {
  readonly states = new Map<number, State>();
  readonly #call: Call;
  #now: State;
  #tip: State;
  #taken: State | undefined;

  constructor(call: Call) {
    this.#call = call;
    this.#now = { effect: [], line: [], order: this.#order() };
    this.#tip = this.#now;
    this.states.set(0, this.#now);
  }

  run(what: string, choice: number): void {
    const { line } = this.#now;
    if (what === 'undo') {
      if (line.length > 0) this.#rewind(line.at(-1)!, 'before');
    } else if (what === 'redo') {
      const next = this.#tip.line[line.length];
      if (next !== undefined) this.#rewind(next, 'after');
    } else if (what === 'rewind') {
      const ids = [...this.states.keys()].slice(1);
      const id = ids[choice % ids.length];
      if (id !== undefined) this.#rewind(id, choice % 2 === 0 ? 'before' : 'after');
    } else if (what === 'take') {
      this.#call('POST /_backlot/snapshot', { name: 'one' });
      this.#taken = this.#now;
    } else if (what === 'restore') {
      if (this.#taken === undefined) return;
      this.#call('POST /_backlot/snapshot/one/restore');
      this.#replaced(this.#taken.effect);
    } else if (what === 'reset') {
      this.#call('POST /_backlot/reset');
      this.#replaced([]);
    } else this.#send(what, choice);
  }

  #send(line: string, choice: number): void {
    const body = line.startsWith('PATCH') ? { notes: `note ${choice}` } : bodies[line];
    const last = this.#last();
    this.#call(line, body);
    const [entry] = this.#call(`GET /_backlot/journal?view=summary&since=${last}`).body.summaries;
    if (entry === undefined) return;
    this.#goOn([...this.#now.effect, entry.id], entry.changed > 0 || entry.by !== 'request');
  }

  #rewind(id: number, to: 'before' | 'after'): void {
    const target = this.states.get(to === 'before' ? id - 1 : id)!;
    expect(this.#call(`POST /_backlot/journal/${id}/rewind`, { to }).status).toBe(200);
    const rewind = this.#last();
    this.#now = { ...target, effect: [...target.effect, rewind] };
    if (!target.line.every((one, at) => this.#tip.line[at] === one)) this.#tip = this.#now;
    this.states.set(rewind, this.#now);
    expect(this.#order()).toEqual(target.order);
  }

  #replaced(effect: readonly number[]): void {
    this.#goOn([...effect, this.#last()], true);
  }

  #goOn(effect: readonly number[], isChange: boolean): void {
    const id = effect.at(-1)!;
    const line = isChange ? [...this.#now.line, id] : this.#now.line;
    this.#now = { effect, line, order: this.#order() };
    if (isChange) this.#tip = this.#now;
    this.states.set(id, this.#now);
  }

  #last(): number {
    return this.#call('GET /_backlot/journal?view=summary&limit=1').body.summaries[0]?.id ?? 0;
  }

  /** The order as the tables have it now. */
  #order(): unknown {
    const { status, body } = this.#call('GET /_backlot/tables/orders/121');
    if (status !== 200) return undefined;
    const { rows } = this.#call('GET /_backlot/tables/order_items?where[order_id]=121').body;
    return { order: body, items: rows };
  }

  check(): void {
    const { summaries } = this.#call('GET /_backlot/journal?view=summary&limit=1000').body;
    for (const { id, position, of, inEffect } of summaries as readonly Summary[]) {
      const { line } = this.states.get(id)!;
      const isOnLine = line.every((one, at) => this.#tip.line[at] === one);
      expect({ id, position, of, inEffect }).toEqual({
        id,
        position: isOnLine ? line.length : undefined,
        of: this.#tip.line.length,
        inEffect: this.#now.effect.includes(id),
      });
    }
    this.#checkTimeline();
    for (const [id, state] of this.states) this.#checkPast(id, state);
  }

  #checkTimeline(): void {
    const { body } = this.#call('GET /_backlot/timeline');
    const [{ line, effect }, all] = [this.#now, this.#tip.line];
    expect(body).toMatchObject({ position: line.length, of: all.length });
    expect(idsOf(body.idsInEffect)).toEqual(effect);
    expect([body.undo?.id, body.redo?.id]).toEqual([line.at(-1), all[line.length]]);
    expect(body.bins.map((bin: { readonly to: number }) => bin.to)).toEqual(all);
    const few = this.#call('GET /_backlot/timeline?bins=3').body.bins;
    expect(few.length).toBe(Math.min(3, all.length));
    expect(few.at(-1)?.position ?? 0).toBe(all.length);
    if (line.length > 0)
      expect(few.some((bin: { readonly to: number }) => bin.to === line.at(-1))).toBe(true);
  }

  #checkPast(id: number, { order, effect }: State): void {
    const { status, body } = this.#call(`GET /_backlot/orders/121?at=${id}`);
    expect(status).toBe(order === undefined ? 404 : 200);
    if (order === undefined) return;
    expect({ order: body.order, items: body.tables.order_items }).toEqual(order);
    const own = new Set([
      'order 121',
      ...namesOf('payment', body.tables.payments),
      ...namesOf('shipment', body.tables.shipments),
      ...namesOf('inventory_unit', body.tables.inventory_units),
    ]);
    const moves = effect.flatMap((one) => {
      const entry = this.#call(`GET /_backlot/journal/${one}`).body;
      return ['restore', 'reset'].includes(entry.by) ? [] : entry.moves;
    });
    expect(body.moves).toEqual(moves.filter((one) => own.has(`${one.machine} ${one.id}`)));
  }
}

function namesOf(machine: string, rows: readonly { readonly id: number }[]): string[] {
  return rows.map(({ id }) => `${machine} ${id}`);
}

function idsOf(ranges: readonly (readonly [number, number])[]): number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
}

test('the history says of each entry what is in effect, and has the past of an order, after any writes, undos, redos, resets and restores', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(act, fc.nat(50)), { minLength: 1, maxLength: 16 }), (all) => {
      const { call } = openServer({ history: true });
      const model = new Model(call);
      model.run('POST /api/orders/', 0);
      model.run('POST /api/orders/121/items/', 0);
      for (const [what, choice] of all) model.run(what, choice);
      model.check();
    }),
    { numRuns: runs(60) },
  );
});

test('the time line counts all changes, also those that are no longer kept, and has at most 200 bins', () => {
  const { call } = openServer({ history: { maxEntries: 400 }, settings: { journalSize: 500 } });
  for (let times = 0; times < 800; times++)
    call('PATCH /_backlot/tables/users/1', { first_name: `Ada ${times}` });
  const { position, of, bins, undo, redo } = call('GET /_backlot/timeline').body;
  expect({ position, of, undo: undo.id, redo }).toEqual({ position: 800, of: 800, undo: 800 });
  expect(bins).toHaveLength(200);
  expect(bins[0]).toEqual({
    from: 401,
    to: 402,
    position: 402,
    changes: 2,
    records: 2,
    kind: 'page',
  });
  expect(bins.at(-1).to).toBe(800);
  call('POST /_backlot/journal/502/rewind');
  const back = call('GET /_backlot/timeline').body;
  expect(back).toMatchObject({ position: 501, of: 800, undo: { id: 501 }, redo: { id: 502 } });
  expect(back.idsInEffect).toEqual([
    [1, 501],
    [801, 801],
  ]);
  expect(back.bins.some((bin: { readonly to: number }) => bin.to === 501)).toBe(true);
  // An entry keeps its number of records when its changes are lost.
  expect(call('GET /_backlot/journal/310').body).toMatchObject({ changed: 1, rewindable: false });
});

test('an order at an entry is refused where the changes since are not kept, and not found before it was made', () => {
  const { call } = openServer({ history: { maxEntries: 2 } });
  call('POST /api/orders/', cart);
  call('POST /api/orders/', cart);
  expect(call('GET /_backlot/orders/122?at=1').status).toBe(404);
  expect(call('GET /_backlot/orders/122?at=2').body.order).toMatchObject({ id: 122 });
  expect(call('GET /_backlot/orders/122?at=3').status).toBe(404);
  call('POST /api/orders/', cart);
  expect(call('GET /_backlot/orders/121?at=0').body.message).toBe(
    'The state before the first entry is no longer known: changes are kept from entry 2 on, at most 2 changes and 32768 KiB. To keep more changes, raise maxEntries of the option history.',
  );
  const off = openServer().call;
  expect(off('GET /_backlot/orders/105').body.order).toMatchObject({ id: 105 });
  expect(off('GET /_backlot/orders/105?at=0').status).toBe(400);
  expect(off('GET /_backlot/timeline').status).toBe(400);
});

test('an order that a restored snapshot or a reset brings back has no way that it took elsewhere', () => {
  const { call } = openServer({ history: true });
  const states = () =>
    call('GET /_backlot/orders/105').body.moves.map(
      ({ machine, from, to }: { readonly [name: string]: string }) => `${machine} ${from} ${to}`,
    );
  call('POST /_backlot/snapshot', { name: 'start' });
  call('POST /_backlot/transitions/order/105', { transition: 'ship' });
  expect(states()).toContain('order confirmed shipped');
  call('POST /_backlot/snapshot', { name: 'shipped' });
  call('POST /_backlot/snapshot/start/restore');
  expect(states()).toEqual([]);
  call('POST /_backlot/transitions/order/105', { transition: 'cancel' });
  expect(states()).toContain('order confirmed cancelled');
  expect(states()).not.toContain('order confirmed shipped');
  call('POST /_backlot/snapshot/shipped/restore');
  expect(states()).toContain('order confirmed shipped');
  expect(states()).not.toContain('order confirmed cancelled');
  call('POST /_backlot/reset');
  expect(states()).toEqual([]);
});
