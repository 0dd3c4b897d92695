import { countLeading } from '../lib/count-leading.ts';
import { Problem } from '../lib/problem.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { Writes } from '../store/transaction.ts';
import type { HistoryParts, Recorded } from './history-api.ts';
import { changedBy, writesCountsOnly } from './history-summary.ts';
import { isState, rowWrites, stateDifferences } from './changes.ts';
import { timeOf } from './record-past.ts';
import { historyIsOff } from './timeline-view.ts';
import { restoreState, shopState, type ShopState } from './snapshots.ts';

type LogParts = Pick<HistoryParts, 'shop' | 'maxEntries' | 'budget' | 'journal'>;

/** An entry whose writes can be undone. */
interface LoggedChange {
  readonly recorded: Recorded;
  readonly size: number;
  /** Whether it has changed nothing but the counts of rules. */
  readonly onlyCounts: boolean;
}

/**
 * The changes of a history, so that they can be undone. They are bounded by a number and a size of their own: a change stays
 * when the journal, which has all requests, drops its entry. Counts of rules are kept for each request of the journal, and
 * for all earlier requests between two changes together.
 */
export class ChangeLog {
  /** The last entry whose changes are lost: the state before it cannot be restored. */
  lost = 0;
  /** The last entry before this history, if it was cleared or loaded. */
  #begun = 0;
  readonly #parts: LogParts;
  /** Oldest first. */
  #changes: LoggedChange[] = [];
  /** Number of those that are changes. */
  #count = 0;
  #bytes = 0;

  constructor(parts: LogParts) {
    this.#parts = parts;
  }

  /** Maximum number of changes; 0 if the history is off. */
  get max(): number {
    const { maxEntries, shop } = this.#parts;
    return maxEntries ?? Math.max(standardEntries, shop.settings.journalSize);
  }

  /** The entries that are listed, oldest first: all of the journal, and the changes before them. */
  get entries(): readonly Recorded[] {
    return this.#listed(({ onlyCounts }) => !onlyCounts);
  }

  /** The entries of the journal, and all before them that have writes, oldest first. */
  get steps(): readonly Recorded[] {
    return this.#listed(() => true);
  }

  /** Returns a listed entry. */
  get(id: number): Recorded | undefined {
    const logged = this.#changes[this.#placeOf(id)];
    const isListed = logged?.recorded.id === id && !logged.onlyCounts;
    return this.#parts.journal.get(id) ?? (isListed ? logged.recorded : undefined);
  }

  /** Adds the changes of an entry, and drops the oldest changes beyond the limits. */
  add(recorded: Recorded): void {
    const onlyCounts = writesCountsOnly(recorded);
    const size = onlyCounts ? 0 : (recorded.details?.size ?? 0) + recorded.requestSize;
    this.#changes.push({ recorded, size, onlyCounts });
    this.#bytes += size;
    if (!onlyCounts) this.#count += 1;
    // A journal that is off, or that of a trace, never had it.
    if (recorded.id < this.#parts.journal.firstId) this.dropped(recorded);
    while (this.#count > this.max || this.#bytes > this.#parts.budget) this.#loseOldest();
  }

  /** Is called when the journal has dropped an entry. */
  dropped(recorded: Recorded): void {
    const at = this.#placeOf(recorded.id);
    const [before, logged] = [this.#changes[at - 1], this.#changes[at]];
    if (logged?.recorded !== recorded) return;
    recorded.discardBody();
    if (before?.onlyCounts !== true || !logged.onlyCounts) return;
    joinCounts(before.recorded, recorded);
    this.#changes.splice(at, 1);
  }

  /** Forgets all changes. @param lost the last entry whose changes are lost (default: the newest one) */
  clear(lost = this.#parts.journal.nextId - 1): void {
    this.#changes = [];
    this.#count = 0;
    this.#bytes = 0;
    this.lost = lost;
    this.#begun = lost;
  }

  /** Forgets the changes of all entries after one, which are undone. */
  forgetAfter(last: number): void {
    while ((this.#changes.at(-1)?.recorded.id ?? 0) > last) {
      const { size, onlyCounts } = this.#changes.pop()!;
      this.#bytes -= size;
      if (!onlyCounts) this.#count -= 1;
    }
    this.lost = Math.min(this.lost, last);
    this.#begun = Math.min(this.#begun, last);
  }

  /** @throws Problem `refused` if the changes since an entry are not kept, so that its state is not known */
  assertReaches(last: number): void {
    if (this.max === 0) throw new Problem('refused', historyIsOff);
    if (last >= this.lost) return;
    const { maxEntries, budget } = this.#parts;
    const most = `${this.max} changes and ${budget / 1024} KiB`;
    const setting =
      maxEntries === undefined ? 'the setting journalSize' : 'maxEntries of the option history';
    const first = this.lost + 1;
    throw new Problem(
      'refused',
      this.lost === this.#begun
        ? `The state ${timeOf(last)} is no longer known: the history begins with entry #${first}, because it was cleared or loaded.`
        : `The state ${timeOf(last)} is no longer known: changes are kept from entry #${first} on, at most ${most}. To keep more changes, raise ${setting}.`,
    );
  }

  /**
   * Returns the states after entries, and leaves the present one as it is.
   *
   * @throws Problem `refused` if they are not kept
   */
  statesAfter(from: number, to: number): PastStates {
    const { shop, journal } = this.#parts;
    const now = shopState(shop);
    const newest = journal.nextId - 1;
    const states = new PastStates(newest, now);
    if (from >= newest) return states;
    this.assertReaches(from);
    const steps = this.steps.filter(({ id }) => id > from).toReversed();
    try {
      for (const [at, step] of steps.entries()) {
        undo(shop, [step]);
        if ((steps[at + 1]?.id ?? from) <= to) states.add(step.id - 1, shopState(shop));
      }
      return states;
    } finally {
      restoreState(shop, now);
      shop.transaction.take();
    }
  }

  /** Does work in the state after an entry, and returns to the present one. @throws Problem as `statesAfter` */
  within<Result>(last: number, work: () => Result): Result {
    const { shop } = this.#parts;
    const now = shopState(shop);
    try {
      restoreState(shop, this.statesAfter(last, last).after(last));
      return work();
    } finally {
      restoreState(shop, now);
      shop.transaction.take();
    }
  }

  /** Returns the clock as it was after an entry. */
  clockAfter(last: number): ClockState {
    const next = this.steps.find(({ id }) => id > last);
    return next?.details?.clock ?? this.#parts.shop.clock.state;
  }

  /** Undoes all entries after one. */
  undoAfter(last: number): void {
    const undone = this.steps.filter(({ id }) => id > last);
    undo(this.#parts.shop, undone.toReversed());
  }

  #listed(isListed: (change: LoggedChange) => boolean): readonly Recorded[] {
    const { journal } = this.#parts;
    const older = this.#changes.slice(0, this.#placeOf(journal.firstId));
    return [...older.filter(isListed).map(({ recorded }) => recorded), ...journal.all];
  }

  /** Returns the position of the first entry with this id or a later one. Mostly, the oldest is looked up. */
  #placeOf(id: number): number {
    if (id <= (this.#changes[0]?.recorded.id ?? 0)) return 0;
    return countLeading(this.#changes, ({ recorded }) => recorded.id < id);
  }

  #loseOldest(): void {
    const { recorded, size, onlyCounts } = this.#changes.shift()!;
    this.#bytes -= size;
    if (!onlyCounts) this.#count -= 1;
    this.lost = recorded.id;
    const { details } = recorded;
    if (details === undefined) return;
    // Their number stays.
    changedBy(recorded);
    details.writes = undefined;
    details.made = undefined;
    details.states = undefined;
  }
}

/** The states of a shop after entries. Entries without writes share that of the entry before them. */
export class PastStates {
  /** The newest first, each with the last entry after which the shop had it. */
  readonly #states: (readonly [last: number, state: ShopState])[];

  constructor(newest: number, present: ShopState) {
    this.#states = [[newest, present]];
  }

  /** Adds an earlier state. */
  add(last: number, state: ShopState): void {
    this.#states.push([last, state]);
  }

  /** @throws Problem `missing` */
  after(id: number): ShopState {
    const found = this.#states[countLeading(this.#states, ([last]) => last >= id) - 1];
    if (found !== undefined) return found[1];
    throw new Problem('missing', `Entry #${id} of the history not found.`);
  }
}

/** Number of changes that are kept unless the options say another, or the setting journalSize says more. */
const standardEntries = 500;

/** Adds the counts of a request to those of earlier ones: of each rule, one write has what was before and what is after. */
function joinCounts({ details: earlier }: Recorded, { details: later }: Recorded): void {
  if (earlier?.writes === undefined || later?.writes === undefined) return;
  const latest = new Map(later.writes.list.map((write) => [keyOf([write]), write.after]));
  const known = new Set(earlier.writes.list.map((write) => keyOf([write])));
  const isNew = later.writes.list.map((write) => !known.has(keyOf([write])));
  earlier.writes = {
    list: [
      ...earlier.writes.list.map((write) => {
        return { ...write, after: latest.get(keyOf([write])) ?? write.after };
      }),
      ...later.writes.list.filter((_, at) => isNew[at]),
    ],
    undoLog: [...earlier.writes.undoLog, ...later.writes.undoLog.filter((_, at) => isNew[at])],
  };
}

/** About the bytes of a write without its texts, and of a row. */
const writeSize = 200;
const rowSize = 600;

/** Returns about the bytes that writes keep in memory: earlier rows, which nothing else may refer to. */
export function sizeOf({ list }: Writes): number {
  let size = 0;
  for (const { before } of list) {
    size += writeSize;
    if (before === undefined) continue;
    if (isState(before)) size += before.rows.size * rowSize;
    else for (const value of Object.values(before)) size += valueSize(value);
  }
  return size;
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return 20 + value.length;
  if (Array.isArray(value)) return 40 + 20 * value.length;
  return typeof value === 'object' && value !== null ? 40 + 20 * Object.keys(value).length : 8;
}

/** Returns about the bytes that an entry keeps which has replaced one state by another. */
export function sizeOfStates(before: ShopState, after: ShopState): number {
  return stateDifferences(before.state, after.state).length * rowSize;
}

/** Undoes entries, the newest first. */
function undo(shop: OpenShop, entries: readonly Recorded[]): void {
  let clock: ClockState | undefined;
  for (const { details } of entries) {
    if (details === undefined) continue;
    if (details.states !== undefined) restoreState(shop, details.states.before);
    else if (details.writes !== undefined) shop.transaction.revert(details.writes);
    ({ clock } = details);
  }
  if (clock !== undefined) shop.clock.restore(clock);
}

function keyOf(list: Writes['list']): string {
  return rowWrites(list)
    .map(({ table, id }) => `${table} ${id}`)
    .join();
}
