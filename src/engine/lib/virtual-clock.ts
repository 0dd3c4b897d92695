import { addDuration, parseDateTime, secondsBetween, toDate, toTimestamp } from './duration.ts';
import { Problem } from './problem.ts';

/** The source of time: the clock of the back office, never that of the machine. */
export interface Clock {
  /** Returns the current date-time in UTC, in whole seconds: `2026-03-02T09:00:00+0000`. */
  now(): string;
}

/** A frozen clock changes only if it is set or advanced. A ticking clock advances in real time, too. */
export const clockModes = ['frozen', 'ticking'] as const;
export type ClockMode = (typeof clockModes)[number];

/** The state of a clock. */
export interface ClockState {
  readonly now: string;
  readonly mode: ClockMode;
}

/** Returns elapsed real time in milliseconds, from any start: `performance.now()`. */
export type Milliseconds = () => number;

/** The clock of a back office. It reads no clock of the machine: real time comes from a parameter. */
export class VirtualClock implements Clock {
  readonly #milliseconds: Milliseconds | undefined;
  #now: string;
  /** The real time of `#now`, or undefined if the clock is frozen. */
  #since: number | undefined;
  #listener: (before: ClockState) => void = () => undefined;
  /** A counter of changes other than those of ticking. */
  moves = 0;
  /** Called after each of these. */
  onChange: () => void = () => undefined;

  constructor(now: string, milliseconds?: Milliseconds) {
    this.#now = now;
    this.#milliseconds = milliseconds;
  }

  now(): string {
    if (this.#since === undefined) return this.#now;
    const passed = Math.floor((this.#realTime() - this.#since) / 1000);
    if (passed > 0) {
      this.#now = secondsAfter(this.#now, passed);
      this.#since += passed * 1000;
    }
    return this.#now;
  }

  get mode(): ClockMode {
    return this.#since === undefined ? 'frozen' : 'ticking';
  }

  get state(): ClockState {
    return { now: this.now(), mode: this.mode };
  }

  /**
   * Sets the clock, forward or back.
   *
   * @param dateTime `2026-03-02T09:00:00+0000`, `2026-03-02T09:00:00Z` or a date
   * @throws Problem `invalid` if the text is not a date-time
   */
  set(dateTime: string): void {
    this.#move(
      parseDateTime(dateTime),
      `${dateTime} is not a date-time such as 2026-03-02T09:00:00Z`,
    );
  }

  /**
   * Advances the clock.
   *
   * @param duration ISO 8601: `PT3H`, `P1D`; with a leading minus, the clock moves back
   * @param from date-time to start from (default: the current one)
   * @throws Problem `invalid` if the duration is invalid, or the result is outside the years 1000 to 8999
   */
  advance(duration: string, from: string = this.now()): void {
    const now = addDuration(parseDateTime(from) ?? from, duration);
    this.#move(parseDateTime(now), `${duration} moves the clock outside the years 1000 to 8999`);
  }

  /** Freezes the clock. */
  freeze(): void {
    this.restore({ now: this.now(), mode: 'frozen' });
  }

  /**
   * Starts the clock, so that it advances in real time.
   *
   * @throws Problem `refused` if the clock has no source of real time
   */
  tick(): void {
    if (this.mode === 'frozen') this.restore({ now: this.#now, mode: 'ticking' });
  }

  /** Restores a state of this or another clock. */
  restore({ now, mode }: ClockState): void {
    this.#since = mode === 'ticking' ? this.#realTime() : undefined;
    this.moves += 1;
    this.#now = now;
    this.onChange();
  }

  /** Sets the listener that is called after the clock was set or advanced, with its earlier state, to run due events. */
  onMove(listener: (before: ClockState) => void): void {
    this.#listener = listener;
  }

  #move(now: string | undefined, reason: string): void {
    if (now === undefined) throw new Problem('invalid', `${reason}.`);
    const before = this.state;
    this.restore({ now, mode: before.mode });
    this.#listener(before);
  }

  #realTime(): number {
    if (this.#milliseconds !== undefined) return this.#milliseconds();
    throw new Problem('refused', 'This clock cannot tick: it has no source of real time.');
  }
}

/** Returns the timestamp after some seconds, at most the end of the year 8999. */
function secondsAfter(now: string, seconds: number): string {
  const last = '8999-12-31T23:59:59+0000';
  return secondsBetween(now, last) <= seconds
    ? last
    : toTimestamp(new Date(toDate(now).getTime() + seconds * 1000));
}
