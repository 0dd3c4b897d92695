import { restoreDatabase, stateOf, type DatabaseState } from '../models/database.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { Settings } from '../scenario/settings.ts';
import type { OpenShop, Start } from '../scenario/start.ts';

/** All that a shop is at one moment. It shares what it holds with the shop, so it costs next to nothing. */
export interface ShopState {
  readonly start: Start;
  readonly settings: Settings;
  readonly seed: number;
  readonly state: DatabaseState;
  readonly clock: ClockState;
}

export function shopState({ start, settings, seed, db, clock }: OpenShop): ShopState {
  return { start, settings, seed, state: stateOf(db), clock: clock.state };
}

/**
 * Makes a shop what it, or another one, was at that moment.
 *
 * @throws Problem `refused`, before anything has changed, where its clock ticked then and cannot tick here
 */
export function restoreState(
  shop: OpenShop,
  { start, settings, seed, state, clock }: ShopState,
): void {
  shop.clock.restore(clock);
  shop.start = start;
  shop.settings = settings;
  shop.seed = seed;
  restoreDatabase(shop.db, state);
  shop.firedRules.length = 0;
  shop.matchedRules.length = 0;
}

/** The moment at which a shop begins. */
export function initialState(start: Start, { clockMode }: Pick<OpenShop, 'clockMode'>): ShopState {
  const { settings, seed, state, now } = start;
  return { start, settings, seed, state, clock: { now, mode: clockMode } };
}
