import { expect } from 'vitest';
import type { HistoryEntry, HistorySummary } from '../../src/index.ts';
import { isPrefix, type HistoryModel, type Told } from '../support/history-model.ts';

/** Expects that what the control API tells of each moment is what was true then, or is refused. */
export function checkHistory(model: HistoryModel): void {
  const { changesFrom, entriesFrom } = model.call('GET /_backlot/timeline').body;
  const { begun, lost, entries } = model.life;
  const jumps = Array.from(entries.values()).filter(({ by }) => by === 'restore' || by === 'reset');
  // More whole states than these can be too large for a session.
  if (model.last - lost <= model.maxEntries && jumps.length <= 3)
    expect(changesFrom).toBe(lost + 1);
  expect(changesFrom).toBeGreaterThan(lost);
  expect(entriesFrom).toBeLessThanOrEqual(Math.max(begun + 1, model.last - 5));
  checkPast(model, changesFrom);
  checkList(model, changesFrom, entriesFrom);
  checkTape(model, changesFrom);
  checkBlame(model, changesFrom);
  checkJourney(model, checkEntries(model, changesFrom));
}

/** `GET /_backlot/orders/:id?at=` and `…/why?at=`. */
function checkPast(model: HistoryModel, changesFrom: number): void {
  const { order, last } = model;
  const { begun, states } = model.life;
  const statuses = (at: number) =>
    ['', '/why'].map((path) => model.call(`GET /_backlot/orders/${order}${path}?at=${at}`).status);
  expect(statuses(last + 1)).toEqual([404, 404]);
  if (begun > 0) expect(statuses(begun - 1)).toEqual([400, 400]);
  for (const [at, { told }] of states) {
    if (at < changesFrom - 1) expect(statuses(at)).toEqual([400, 400]);
    else if (told !== undefined) {
      const { moves, ...found } = model.observe(at);
      const { moves: then, ...others } = told;
      expect({ at, ...found }).toEqual({ at, ...others });
      // Those of changes that are lost are not known any more.
      const known = changesFrom === begun + 1 ? then : then.slice(then.length - moves.length);
      expect({ at, moves }).toEqual({ at, moves: known });
    }
  }
}

/** `GET /_backlot/journal?view=summary` and `/_backlot/events`. */
function checkList(model: HistoryModel, changesFrom: number, entriesFrom: number): void {
  const { states, entries, now, tip } = model.life;
  const all: readonly HistorySummary[] = model.call('GET /_backlot/journal?view=summary&limit=1000')
    .body.summaries;
  for (const entry of all) {
    const { line } = states.get(entry.id)!;
    const { position: _, ...told } = entries.get(entry.id)!;
    expect(entry).toEqual({
      ...told,
      ...(isPrefix(line, tip.line) && { position: line.length }),
      of: tip.line.length,
      inEffect: now.effect.includes(entry.id),
    });
  }
  const listed = new Set(all.map(({ id }) => id));
  const expected = [...entries.values()].filter(
    ({ id, by, changed }) =>
      id >= entriesFrom || (id >= changesFrom && (by !== 'request' || changed > 0)),
  );
  for (const { id } of expected) expect(listed).toContain(id);
  const since = Math.max(0, model.last - 8);
  const { body: text } = model.call(`GET /_backlot/events?since=${since}`);
  const data = /^data: (.*)$/m.exec(text)?.[1];
  const sent = data === undefined ? [] : JSON.parse(data).entries;
  expect(sent).toEqual(all.filter(({ id }) => id > since));
}

/** `GET /_backlot/timeline`. */
function checkTape(model: HistoryModel, changesFrom: number): void {
  const { now, tip } = model.life;
  const [{ line, effect }, all] = [now, tip.line];
  const isKept = (id: number): boolean => id >= changesFrom;
  const { body } = model.call('GET /_backlot/timeline');
  expect(body).toMatchObject({ position: line.length, of: all.length });
  // Of those before, no entry is listed.
  const isListed = (id: number): boolean => id >= Math.min(changesFrom, body.entriesFrom);
  expect(idsOf(body.idsInEffect).filter((id) => isListed(id))).toEqual(
    effect.filter((id) => isListed(id)),
  );
  const [undo, redo] = [line.at(-1), all[line.length]].map((id) =>
    id !== undefined && isKept(id) ? id : undefined,
  );
  expect([body.undo?.id, body.redo?.id]).toEqual([undo, redo]);
  const kept = all.filter(isKept);
  expect(body.bins.map((bin: Bin) => [bin.from, bin.to, bin.position])).toEqual(
    kept.map((id) => [id, id, all.indexOf(id) + 1]),
  );
  const few: readonly Bin[] = model.call('GET /_backlot/timeline?bins=3').body.bins;
  expect(few).toHaveLength(Math.min(3, kept.length));
  expect(few.reduce((sum, { changes }) => sum + changes, 0)).toBe(kept.length);
  expect(few.map(({ to }) => all.indexOf(to) + 1)).toEqual(few.map(({ position }) => position));
  if (undo !== undefined) expect(few.map(({ to }) => to)).toContain(undo);
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly position: number;
  readonly changes: number;
}

function idsOf(ranges: readonly (readonly [number, number])[]): number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
}

/** `GET /_backlot/journal/:id` and `…/why`. Returns the moves of each entry that has a way. */
function checkEntries(model: HistoryModel, changesFrom: number): Moves {
  const { entries, states } = model.life;
  const moves = new Map<number, HistoryEntry['moves']>();
  for (const id of entries.keys()) {
    const { status, body } = model.call(`GET /_backlot/journal/${id}`);
    if (status !== 200) continue;
    const entry: HistoryEntry = body;
    expect([id, entry.rewindable]).toEqual([id, id >= changesFrom]);
    if (entry.by !== 'restore' && entry.by !== 'reset') moves.set(id, entry.moves);
    const [before, after] = [states.get(id - 1)?.told, states.get(id)?.told];
    if (!entry.rewindable || before === undefined || after === undefined) continue;
    const change = entry.changes.find((one) => one.table === 'orders' && one.id === model.order);
    const fields = (change?.fields ?? []).map(({ field, ...values }) => [
      field,
      values.before,
      values.after,
    ]);
    expect({ id, fields: sorted(fields) }).toEqual({
      id,
      fields: sorted(differences(before, after)),
    });
    if (change === undefined || liveOrder(after) === undefined) continue;
    const { orders } = model.call(`GET /_backlot/journal/${id}/why`).body;
    const found = orders.find((one: { readonly order: number }) => one.order === model.order);
    expect({ id, why: found }).toEqual({ id, why: after.why });
  }
  return moves;
}

type Moves = ReadonlyMap<number, HistoryEntry['moves']>;

type Difference = readonly [field: string, before: unknown, after: unknown];

function differences(before: Told, after: Told): Difference[] {
  const [from, to] = [liveOrder(before) ?? {}, liveOrder(after) ?? {}];
  return Object.keys({ ...from, ...to })
    .filter((field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]))
    .map((field) => [field, from[field], to[field]]);
}

/** A deleted order is told of, too, but its total is not explained. */
function liveOrder(told: Told | undefined): Told['order'] {
  return told?.why === undefined ? undefined : told.order;
}

function sorted(rows: readonly (readonly unknown[])[]): (readonly unknown[])[] {
  return rows.toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
}

/** The last entry of `GET /_backlot/tables/orders/:id/history` that set a field. */
function checkBlame(model: HistoryModel, changesFrom: number): void {
  const { states, begun, now } = model.life;
  const { body } = model.call(`GET /_backlot/tables/orders/${model.order}/history`);
  expect(body.changesFrom).toBe(changesFrom);
  for (const field of Object.keys(liveOrder(now.told) ?? {})) {
    let id = model.last;
    const isTold = (at: number) => states.get(at)?.told !== undefined;
    const valueAt = (at: number) => JSON.stringify(liveOrder(states.get(at)?.told)?.[field]);
    while (id > begun && isTold(id - 1) && valueAt(id) === valueAt(id - 1)) id -= 1;
    if (id > begun && !isTold(id - 1)) continue;
    const setter = body.entries.findLast(
      ({ change }: { readonly change: HistoryEntry['changes'][0] }) =>
        change.fields.some((one) => one.field === field),
    );
    expect([field, setter?.id]).toEqual([field, id > begun && id >= changesFrom ? id : undefined]);
  }
}

/** `GET /_backlot/orders/:id/view`, and why the order has its state. */
function checkJourney(model: HistoryModel, moved: Moves): void {
  const { order } = model;
  const { effect, told } = model.life.now;
  const { status, body } = model.call(`GET /_backlot/orders/${order}/view`);
  const why = model.call(`GET /_backlot/transitions/order/${order}/why`);
  const present = liveOrder(told);
  if (present === undefined) {
    expect([status, why.status]).toEqual([404, 404]);
    return;
  }
  const { moves, tables = {} } = model.observe();
  expect(body.moves).toEqual(moves);
  const records = new Set([`order ${order}`]);
  for (const machine of ['payment', 'shipment', 'inventory_unit'])
    for (const { id } of tables[`${machine}s`] ?? []) records.add(`${machine} ${id}`);
  const taken = effect.flatMap((id) => moved.get(id) ?? []);
  expect(moves).toEqual(taken.filter(({ machine, id }) => records.has(`${machine} ${id}`)));
  const own = moves.filter((one) => one.machine === 'order' && one.id === order);
  for (const [at, { to }] of own.entries())
    expect(to).toBe(own[at + 1] === undefined ? present['state'] : own[at + 1]?.from);
  type Entry = HistoryEntry & { readonly moves: typeof moves };
  const entries: readonly Entry[] = body.entries;
  for (const { id, inEffect } of entries) expect([id, inEffect]).toEqual([id, effect.includes(id)]);
  const isOwn = ({ machine, id }: { readonly machine: string; readonly id: number }) =>
    machine === 'order' && id === order;
  expect(
    entries.flatMap((one) =>
      one.inEffect === true ? one.moves.filter((move) => isOwn(move)) : [],
    ),
  ).toEqual(own);
  expect(why.body.moves.map(({ from, to }: (typeof moves)[0]) => [from, to])).toEqual(
    own.map(({ from, to }) => [from, to]),
  );
}
