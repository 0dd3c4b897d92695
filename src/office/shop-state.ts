import { restoreDatabase, stateOf, type DatabaseState } from '../models/database.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { Settings } from '../scenario/settings.ts';
import type { OpenShop, Start } from '../scenario/start.ts';

/** The state of a shop. It shares its rows with the shop (copy-on-write), so that taking it is cheap. */
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
 * Restores a state, of this shop or of another one.
 *
 * @throws Problem `refused` if the clock of the state ticks and that of this shop cannot; then nothing changes
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

/** Returns the state of a shop after a reset. */
export function initialState(start: Start, { clockMode }: Pick<OpenShop, 'clockMode'>): ShopState {
  const { settings, seed, state, now } = start;
  return { start, settings, seed, state, clock: { now, mode: clockMode } };
}
