import { restoreDatabase, stateOf, type DatabaseState } from '../models/database.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { Settings } from '../scenario/settings.ts';
import type { OpenShop, Start } from '../scenario/start.ts';

/** All that a shop is at one moment. It shares what it holds with the shop, so it costs next to nothing. */
export interface Moment {
  readonly start: Start;
  readonly settings: Settings;
  readonly seed: number;
  readonly state: DatabaseState;
  readonly clock: ClockState;
}

export function momentOf({ start, settings, seed, db, clock }: OpenShop): Moment {
  return { start, settings, seed, state: stateOf(db), clock: clock.state };
}

/**
 * Makes a shop what it, or another one, was at that moment.
 *
 * @throws Problem `refused`, before anything has changed, where its clock ticked then and cannot tick here
 */
export function goTo(shop: OpenShop, { start, settings, seed, state, clock }: Moment): void {
  shop.clock.restore(clock);
  shop.start = start;
  shop.settings = settings;
  shop.seed = seed;
  restoreDatabase(shop.db, state);
  shop.acted.length = 0;
  shop.counted.length = 0;
}

/** The moment at which a shop begins. */
export function beginning(start: Start, { clockMode }: Pick<OpenShop, 'clockMode'>): Moment {
  const { settings, seed, state, now } = start;
  return { start, settings, seed, state, clock: { now, mode: clockMode } };
}
