import { addDuration, parseDateTime, secondsBetween, toDate, toTimestamp } from './duration.ts';
import { Problem } from './problem.ts';

/** Where the time comes from: the back office's own clock, never the machine's. */
export interface Clock {
  /** The present moment in UTC, whole seconds: `2026-03-02T09:00:00+0000`. */
  now(): string;
}

/** A clock stands still until it is moved, or it ticks: a second for each second that passes outside. */
export type ClockMode = 'frozen' | 'ticking';

/** What a clock is like at one moment. */
export interface ClockState {
  readonly now: string;
  readonly mode: ClockMode;
}

/** Milliseconds that go by in the world outside, from any beginning: `performance.now()`. */
export type Milliseconds = () => number;

/** The clock of a back office. It reads no clock of the machine: what makes it tick is given from outside. */
export class VirtualClock implements Clock {
  readonly #milliseconds: Milliseconds | undefined;
  #now: string;
  /** The moment outside that `#now` was; none while the clock stands still. */
  #since: number | undefined;
  #moved: () => void = () => undefined;

  constructor(now: string, milliseconds?: Milliseconds) {
    this.#now = now;
    this.#milliseconds = milliseconds;
  }

  /** The present moment: `2026-03-02T09:00:00+0000`. */
  now(): string {
    if (this.#since === undefined) return this.#now;
    const passed = Math.floor((this.#outside() - this.#since) / 1000);
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
   * Moves the clock to a moment, forward or back.
   *
   * @param moment `2026-03-02T09:00:00+0000`, `2026-03-02T09:00:00Z` or a date
   * @throws Problem `invalid` for what is no moment
   */
  set(moment: string): void {
    this.#move(parseDateTime(moment), `${moment} is not a moment such as 2026-03-02T09:00:00Z`);
  }

  /**
   * Moves the clock on.
   *
   * @param duration ISO 8601: `PT3H`, `P1D`; back with a minus in front
   * @param from the moment to begin at, the present one if not given
   * @throws Problem `invalid` for what is no duration or moment, or where it leads out of the calendar
   */
  advance(duration: string, from: string = this.now()): void {
    const moment = addDuration(parseDateTime(from) ?? from, duration);
    this.#move(parseDateTime(moment), `${duration} leads out of the calendar`);
  }

  /** Lets the clock stand still. */
  freeze(): void {
    this.restore({ now: this.now(), mode: 'frozen' });
  }

  /**
   * Lets the clock go on as time does outside.
   *
   * @throws Problem `refused` where nothing tells it how time goes there
   */
  tick(): void {
    if (this.mode === 'frozen') this.restore({ now: this.#now, mode: 'ticking' });
  }

  /** Puts back a state of this clock or of another one. */
  restore({ now, mode }: ClockState): void {
    this.#since = mode === 'ticking' ? this.#outside() : undefined;
    this.#now = now;
  }

  /** Calls back whenever someone has moved the clock, so that what is due then happens. */
  onMove(listener: () => void): void {
    this.#moved = listener;
  }

  #move(now: string | undefined, reason: string): void {
    if (now === undefined) throw new Problem('invalid', `${reason}.`);
    this.restore({ now, mode: this.mode });
    this.#moved();
  }

  #outside(): number {
    if (this.#milliseconds !== undefined) return this.#milliseconds();
    throw new Problem('refused', 'This clock cannot tick: nothing tells it how time passes.');
  }
}

/** A clock that ticks at the end of the calendar stays there. */
function secondsAfter(now: string, seconds: number): string {
  const last = '8999-12-31T23:59:59+0000';
  return secondsBetween(now, last) <= seconds
    ? last
    : toTimestamp(new Date(toDate(now).getTime() + seconds * 1000));
}
