import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../../src/engine/lib/problem.ts';
import type { RowOf, TableState } from '../../src/engine/store/table.ts';
import type { Mark } from '../../src/engine/store/transaction.ts';
import { book, keptBooks, openCollection, type Book } from './library.ts';
import { runs } from '../support/runs.ts';

type Volume = RowOf<typeof Book>;

/** A model of the table: the expected rows as plain arrays. */
interface Model {
  readonly live: readonly Volume[];
  readonly deleted: readonly Volume[];
  readonly nextId: number;
}

/** A table and its model, with marks and states that both can return to. */
class Pair {
  readonly library = openCollection(keptBooks);
  model: Model = { live: [], deleted: [], nextId: 1 };
  marks: Array<{ mark: Mark; model: Model }> = [];
  readonly states: Array<{ state: TableState; model: Model }> = [];

  /** Writes to the table. If the model rejects the write, the table must throw. */
  write(next: Model | undefined, work: () => unknown): void {
    if (next === undefined) expect(work).toThrow(Problem);
    else work();
    this.model = next ?? this.model;
  }

  fork(): Pair {
    const fork = new Pair();
    fork.library.clock.time = this.library.clock.time;
    fork.library.table.restore(this.library.table.state);
    fork.model = this.model;
    return fork;
  }
}

type Act = (pair: Pair, turn: (fork?: Pair) => void) => void;

const details = fc.record(
  {
    author: fc.nat(3),
    isbn: fc.constantFrom('a', 'b', 'c', 'd', 'e', undefined),
    shelf: fc.constantFrom(
      undefined,
      { room: 'east', place: 1 },
      { room: 'west', place: 2 },
      { room: 'west', place: 1 },
    ),
  },
  { requiredKeys: [] },
);
const someId = fc.integer({ min: 1, max: 40 });
const pick = fc.nat(80);

const adding = fc
  .tuple(details, fc.option(someId, { freq: 4 }))
  .map(([values, id]): Act => (pair) => {
    const { table, clock } = pair.library;
    const made = book({ ...values, ...(id !== null && { id }) });
    const row = { id: pair.model.nextId, ...made, created_at: clock.time, updated_at: clock.time };
    pair.write(stored(pair.model, row), () => table.add(made));
  });

const changing = fc.tuple(details, someId).map(([values, id]): Act => (pair) => {
  const { table, clock } = pair.library;
  const previous = pair.model.live.find((row) => row.id === id);
  const next = previous && { ...previous, ...values };
  const isChanged = JSON.stringify(next) !== JSON.stringify(previous);
  const row = next && { ...next, ...(isChanged && { updated_at: clock.time }) };
  pair.write(row && stored(pair.model, row, previous), () => table.change(id, values));
});

const removing = someId.map((id): Act => (pair) => {
  const { live, deleted, nextId } = pair.model;
  const row = live.find((one) => one.id === id);
  const rest = {
    live: live.filter((one) => one !== row),
    deleted: row ? [...deleted, row] : deleted,
    nextId,
  };
  pair.write(row && rest, () => pair.library.table.remove(id));
});

const loading = fc.array(details, { maxLength: 30 }).map((list): Act => (pair) => {
  const { table, clock } = pair.library;
  const stamps = { created_at: clock.time, updated_at: clock.time };
  const next = list.reduce<Model | undefined>(
    (model, values) => model && stored(model, { id: model.nextId, ...book(values), ...stamps }),
    pair.model,
  );
  pair.write(next, () => table.load(list.map((values) => book(values))));
});

const marking: fc.Arbitrary<Act> = fc.constant((pair) => {
  pair.marks.push({ mark: pair.library.transaction.mark(), model: pair.model });
});

const rollingBack = pick.map((n): Act => (pair) => {
  const at = n % Math.max(1, pair.marks.length);
  const to = pair.marks[at];
  if (to === undefined) return;
  pair.library.transaction.rollback(to.mark);
  pair.model = to.model;
  pair.marks = pair.marks.slice(0, at + 1);
});

const releasing = pick.map((n): Act => (pair) => {
  const at = n % Math.max(1, pair.marks.length);
  const to = pair.marks[at];
  if (to === undefined) return;
  pair.library.transaction.release(to.mark);
  pair.marks = pair.marks.slice(0, at);
});

const keeping: fc.Arbitrary<Act> = fc.constant((pair) => {
  pair.states.push({ state: pair.library.table.state, model: pair.model });
});

const restoring = pick.map((n): Act => (pair) => {
  const to = pair.states[n % Math.max(1, pair.states.length)];
  if (to === undefined) return;
  pair.library.table.restore(to.state);
  pair.model = to.model;
});

const forking: fc.Arbitrary<Act> = fc.constant((pair, turn) => turn(pair.fork()));
const turning: fc.Arbitrary<Act> = fc.constant((_, turn) => turn());

const acts = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: adding },
    { weight: 6, arbitrary: changing },
    { weight: 3, arbitrary: removing },
    { weight: 2, arbitrary: marking },
    loading,
    rollingBack,
    releasing,
    keeping,
    restoring,
    forking,
    turning,
  ),
  { maxLength: 60, size: 'max' },
);

/** Returns the model after a volume is stored, or undefined if the table must reject it. */
function stored(model: Model, volume: Volume, previous?: Volume): Model | undefined {
  const others = model.live.filter((one) => one !== previous);
  if ([...others, ...model.deleted].some(({ id }) => id === volume.id)) return undefined;
  if (volume.isbn !== undefined && others.some(({ isbn }) => isbn === volume.isbn))
    return undefined;
  const live = [...others, volume].toSorted((a, b) => a.id - b.id);
  return { live, deleted: model.deleted, nextId: Math.max(model.nextId, volume.id + 1) };
}

/** Returns texts that sort as the keys of the indexes do. */
const orders = {
  author: (row: Volume) => `${row.author}`,
  shelved: (row: Volume) => row.shelf && `${row.shelf.room} ${row.shelf.place}`,
  recent: (row: Volume) => `${row.updated_at} ${row.created_at}`,
  withIsbn: (row: Volume) => (row.author === 2 ? undefined : row.isbn),
  withoutIsbn: (row: Volume) => (row.isbn === undefined ? `${row.author}` : undefined),
};

function inOrder(live: readonly Volume[], keyOf: (row: Volume) => string | undefined): Volume[] {
  const key = (row: Volume) => `${keyOf(row)} ${String(row.id).padStart(5, '0')}`;
  const sorted = live.filter((row) => keyOf(row) !== undefined);
  return sorted.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function expectEqualRows({ library: { table }, model }: Pair): void {
  const { live, deleted, nextId } = model;
  expect(table.all()).toEqual(live);
  expect(table.count()).toBe(live.length);
  expect(table.state.nextId).toBe(nextId);
  for (let id = 0; id <= nextId; id++) {
    const row = live.find((one) => one.id === id);
    expect(table.get(id)).toEqual(row);
    expect(table.getWithDeleted(id)).toEqual(row ?? deleted.find((one) => one.id === id));
  }
  for (const isbn of ['a', 'b', 'c', 'd', 'e']) {
    expect(table.findUnique('isbn', isbn)).toEqual(live.find((row) => row.isbn === isbn));
  }
  expect(table.findMany((q) => q.where({ author: 2 }))).toEqual(
    live.filter((row) => row.author === 2),
  );
}

function expectEqualPages(
  { library: { table }, model: { live } }: Pair,
  offset: number,
  limit: number,
): void {
  expect(table.page(offset, limit)).toEqual(live.slice(offset, offset + limit));
  expect(table.page(offset, limit, { descending: true })).toEqual(
    live.toReversed().slice(offset, offset + limit),
  );
  for (const by of Object.keys(orders) as (keyof typeof orders)[]) {
    const rows = inOrder(live, orders[by]);
    expect(table.page(offset, limit, { by })).toEqual(rows.slice(offset, offset + limit));
    expect(table.page(offset, limit, { by, descending: true })).toEqual(
      rows.toReversed().slice(offset, offset + limit),
    );
    expect(table.countBy(by)).toBe(rows.length);
  }
  const west = inOrder(live, orders.shelved).filter(({ shelf }) => shelf?.room === 'west');
  expect(table.by('shelved', 'west')).toEqual(west);
  expect(table.by('shelved', 'west', 1)).toEqual(west.filter(({ shelf }) => shelf?.place === 1));
  expect(table.countBy('shelved', 'west')).toBe(west.length);
  expect(table.first('shelved', 'west')).toEqual(west[0]);
  const page = table.page(offset, limit, { by: 'shelved', prefix: ['west'], descending: true });
  expect(page).toEqual(west.toReversed().slice(offset, offset + limit));
  for (const author of [0, 1, 2, 3]) {
    const children = live.filter((row) => row.author === author);
    expect(table.by('author', author)).toEqual(children);
    expect(table.countBy('author', author)).toBe(children.length);
    expect(table.first('author', author)).toEqual(children[0]);
    const [id = 1] = children.map((row) => row.id);
    expect(table.by('author', author, id)).toEqual(children.slice(0, 1));
    const ofAuthor = table.page(offset, limit, { by: 'author', prefix: [author] });
    expect(ofAuthor).toEqual(children.slice(offset, offset + limit));
  }
}

test('a table and its forks have the same rows as plain arrays after any actions', () => {
  fc.assert(
    fc.property(acts, fc.nat(20), fc.nat(10), (list, offset, limit) => {
      const pairs = [new Pair()];
      for (const [second, one] of list.entries()) {
        const pair = pairs.at(-1)!;
        pair.library.clock.time = `2026-03-02T09:00:${String(second).padStart(2, '0')}+0000`;
        one(pair, (fork) => (fork === undefined ? pairs.unshift(pairs.pop()!) : pairs.push(fork)));
      }
      for (const pair of pairs) {
        expectEqualRows(pair);
        expectEqualPages(pair, offset, limit);
      }
    }),
    { numRuns: runs(300) },
  );
});
