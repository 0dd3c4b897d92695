import { secondsBetween, toDate, toTimestamp } from '../lib/duration.ts';
import { lazyRecord } from '../lib/lazy-object.ts';
import { isObject } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import type { ReadyScenario } from './scenario.ts';
import { contentOf, definitionOf, stateOfStored, type DatabaseState } from '../store/database.ts';
import type { Row, Values } from '../store/row.ts';

/** Moves a start to the current week. */
export interface TodayOptions {
  /**
   * Moves the whole scenario by whole weeks, so that its start time is the last one of its weekday and time of day at or
   * before `currentTime()` (default: false). Every timestamp of its records moves with it. A reset moves it again. Has no
   * effect together with `now`.
   */
  readonly today?: boolean | undefined;
  /** Returns the current time in milliseconds since 1970: `Date.now`, the default of `createBackOffice`. */
  readonly currentTime?: (() => number) | undefined;
}

/** The parts of a start that are moved. */
interface Movable {
  readonly scenario: ReadyScenario;
  readonly now: string;
  readonly state: DatabaseState;
}

const secondsInWeek = 7 * 86_400;

/**
 * Moves a start by as many whole weeks as lie between it and the current time. Its tables are moved when they are first
 * read.
 *
 * @throws Problem `invalid` without a valid `currentTime`
 */
export function moveToToday<Start extends Movable>(
  origin: Start,
  currentTime: TodayOptions['currentTime'],
): Start & { readonly origin: Start } {
  const seconds = secondsInWeek * weeksFrom(origin.now, currentTime);
  const now = moveTimestamp(origin.now, seconds);
  const known = moved.get(origin);
  const part = known?.now === now ? known : { now, state: moveState(origin, seconds) };
  moved.set(origin, part);
  return { ...origin, ...part, origin };
}

/** The last move of each start: all back offices of one week share its tables. */
const moved = new WeakMap<Movable, Omit<Movable, 'scenario'>>();

function weeksFrom(now: string, currentTime: TodayOptions['currentTime']): number {
  const current = new Date(currentTime?.() ?? Number.NaN);
  const year = current.getUTCFullYear();
  if (year >= 1000 && year < 8999) {
    return Math.floor(secondsBetween(now, toTimestamp(current)) / secondsInWeek);
  }
  throw new Problem(
    'invalid',
    'today requires currentTime, which returns the milliseconds since 1970.',
  );
}

function moveState({ scenario, state }: Movable, seconds: number): DatabaseState {
  const memo = new Map<string, string>();
  const move = (timestamp: string): string => {
    const known = memo.get(timestamp) ?? moveTimestamp(timestamp, seconds);
    memo.set(timestamp, known);
    return known;
  };
  const moveRow = (row: Row): Row => ({ ...moveFields(row, move), id: row.id });
  return lazyRecord(Object.keys(state), (key) => {
    const { rows, gone, ...others } = contentOf(state[key]!);
    const content = { ...others, rows: rows.map(moveRow), gone: gone.map(moveRow) };
    return stateOfStored(definitionOf(scenario.api.tables, key), content);
  });
}

/** Returns a copy of a value with every timestamp moved, however deep. */
function moveValue(value: unknown, move: (timestamp: string) => string): unknown {
  if (typeof value === 'string') return isTimestampText.test(value) ? move(value) : value;
  if (Array.isArray(value)) return value.map((item) => moveValue(item, move));
  return isObject(value) ? moveFields(value, move) : value;
}

function moveFields(values: Values, move: (timestamp: string) => string): Values {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(values)) copy[name] = moveValue(values[name], move);
  return copy;
}

const isTimestampText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;

/** Times that stand for "never" stay within the years 0 to 9999. */
function moveTimestamp(timestamp: string, seconds: number): string {
  const time = toDate(timestamp).getTime() + seconds * 1000;
  return toTimestamp(new Date(Math.min(Math.max(time, first), last)));
}

const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];
