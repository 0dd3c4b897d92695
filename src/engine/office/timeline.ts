import { countLeading } from '../lib/count-leading.ts';

/** Ranges of ids, oldest first, both ends included. */
export type IdRanges = readonly (readonly [first: number, last: number])[];

/** The origin of a state that has replaced another. */
export interface StateJump {
  /** The entry after which the shop had this state; 0 if it is none of this history. */
  readonly to: number;
  readonly isRewind: boolean;
}

/** An entry whose state does not come from the entry before it. */
interface Jump extends StateJump {
  readonly id: number;
}

/** A state of the shop. Entries that change nothing share it, and rewinds return to it. */
interface State {
  /** The change that led to it; that before the history began if there is none. */
  readonly id: number;
  readonly position: number;
}

interface Since {
  readonly since: number;
  readonly state: State;
}

/**
 * Follows a shop through its history. Each change leads to a new state; a rewind returns to an earlier one, and the next
 * change after it begins a new branch and leaves the former one behind. The time line is the way from the first state to
 * the newest one that was not left behind, as in the undo and redo of an editor: a restored snapshot or a reset is a
 * change on it, though nothing before it is in effect.
 */
export class Timeline {
  /** The states, oldest first, each with the entry since which the shop has it. */
  #states: Since[] = [{ since: 0, state: { id: 0, position: 0 } }];
  /** The newest entry. */
  #last = 0;
  /** The end of the time line. */
  #tip = this.#now;
  /** Oldest first. */
  #jumps: Jump[] = [];

  /** Adds the next entry, which is a change of the shop or of its clock if `isChange`. */
  add(id: number, isChange: boolean): void {
    this.#last = id;
    if (!isChange) return;
    this.#tip = { id, position: this.#now.position + 1 };
    this.#states.push({ since: id, state: this.#tip });
  }

  /** Adds the next entry, which replaced the whole state: by that after an earlier entry, or by one of elsewhere (0). */
  addJump(id: number, by: StateJump): void {
    const jump = { id, ...by };
    this.#jumps.push(jump);
    if (!jump.isRewind) return this.add(id, true);
    const state = this.#after(jump.to);
    // A rewind to a branch that was left behind makes that branch the time line.
    if (!isOn(this.line(), state)) this.#tip = state;
    this.#last = id;
    this.#states.push({ since: id, state });
  }

  /** Forgets what was before the state after an entry. */
  forget(last: number): void {
    // Not one by one: each removal moves all others.
    const least = Math.min(100, Math.ceil(this.#states.length / 2));
    if ((this.#states[least]?.since ?? Infinity) > last) return;
    this.#states.splice(0, this.#countUpTo(last) - 1);
    const first = this.#states[0]!.since;
    this.#jumps = this.#jumps.filter(({ id }) => id >= first);
  }

  /** Returns the function that removes all later entries. */
  savepoint(): () => void {
    const [states, last, tip] = [this.#states, this.#last, this.#tip];
    return () => {
      // It has started again meanwhile.
      if (this.#states !== states) return this.clear(last);
      states.length = this.#countUpTo(last);
      this.#last = last;
      this.#tip = tip;
      this.#jumps = this.#jumps.filter(({ id }) => id <= last);
    };
  }

  /** Starts again after an entry. */
  clear(last: number): void {
    this.#states = [{ since: last, state: { id: last, position: 0 } }];
    this.#last = last;
    this.#tip = this.#now;
    this.#jumps = [];
  }

  /** The position of the shop. */
  get position(): number {
    return this.#now.position;
  }

  /** The entry that led to the present state. */
  get present(): number {
    return this.#now.id;
  }

  get length(): number {
    return this.#tip.position;
  }

  /** Whether an entry is a change on some time line, and no rewind. */
  isChange(id: number): boolean {
    return this.#after(id).id === id;
  }

  /** Returns the entries that the state after an entry comes from (default: the present one). */
  inEffect(id = this.#last): IdRanges {
    return rangesTo(id, this.#jumps);
  }

  /** Returns the entries that are on the way to the end of the time line; only changes have a place on it. */
  line(): IdRanges {
    return rangesTo(
      this.#tip.id,
      this.#jumps.filter(({ isRewind }) => isRewind),
    );
  }

  /** Returns the place of the newest entry. */
  newest() {
    return { position: this.position, of: this.length, inEffect: true };
  }

  /**
   * Returns the function that places entries, as long as none is added. The third change has position 3, and so have the reads
   * after it, and a rewind to it. An entry has none if the shop went back to before it and was then changed otherwise.
   */
  places() {
    const [effect, line] = [this.inEffect(), this.line()];
    const of = this.length;
    return (id: number) => {
      const state = this.#after(id);
      return {
        ...(isOn(line, state) && { position: state.position }),
        of,
        inEffect: includes(effect, id),
      };
    };
  }

  get #now(): State {
    return this.#states.at(-1)!.state;
  }

  /** The oldest state that is known stands for all before it. */
  #after(id: number): State {
    return this.#states[Math.max(0, this.#countUpTo(id) - 1)]!.state;
  }

  /** Returns the number of states that the shop had up to an entry. */
  #countUpTo(id: number): number {
    return countLeading(this.#states, ({ since }) => since <= id);
  }
}

/** Returns the ids on the way to an entry: back to the entry that a jump led to, and from there on. */
function rangesTo(id: number, jumps: readonly Jump[]): IdRanges {
  const ranges: (readonly [number, number])[] = [];
  let last = id;
  for (const jump of jumps.toReversed()) {
    if (jump.id > last) continue;
    ranges.push([jump.id, last]);
    last = jump.to;
  }
  if (last > 0) ranges.push([1, last]);
  return ranges.toReversed();
}

/** The first state has no change, and is on every line. */
function isOn(line: IdRanges, { id, position }: State): boolean {
  return position === 0 || includes(line, id);
}

export function includes(ranges: IdRanges, id: number): boolean {
  return ranges.some(([first, last]) => id >= first && id <= last);
}
