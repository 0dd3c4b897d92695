import { hintOf } from '../lib/unknown-keys.ts';
import { restoreDatabase, stateOf, type DatabaseState } from '../store/database.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { EngineSettings } from '../definition/api.ts';
import type { OpenShop, Start } from '../scenario/start.ts';
import { parseName } from '../lib/names.ts';
import { Problem } from '../lib/problem.ts';

/** The state of a shop. It shares its rows with the shop (copy-on-write), so that taking it is cheap. */
export interface ShopState {
  readonly start: Start;
  readonly settings: EngineSettings;
  readonly seed: number;
  readonly state: DatabaseState;
  readonly clock: ClockState;
}

export function shopState({ start, settings, seed, db, clock }: OpenShop): ShopState {
  return { start, settings, seed, state: stateOf(db), clock: clock.state };
}

/**
 * Restores a state, of this shop or of another one of the same API.
 *
 * @throws Problem `refused` for a state of another API, or if its clock ticks and that of this shop cannot; then nothing changes
 */
export function restoreState(
  shop: OpenShop,
  { start, settings, seed, state, clock }: ShopState,
): void {
  const { api } = start.scenario;
  if (api.tables !== shop.api.tables) {
    throw new Problem(
      'refused',
      `The scenario ${start.scenario.name} has other tables (API ${api.name}) than this back office (API ${shop.api.name}). Open it in a back office of its own.`,
    );
  }
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

/** The saved state of a back office. It never changes. */
export interface Snapshot {
  /** Undefined for a snapshot that is not stored. */
  readonly name: string | undefined;
  readonly state: ShopState;
}

/** The named snapshots of a back office, oldest first. */
export interface Snapshots {
  list(): readonly (Snapshot & { readonly name: string })[];
  /** @throws Problem `missing` */
  get(name: string): Snapshot;
  /**
   * Stores a snapshot of any back office, replacing any of the same name.
   *
   * @throws Problem `invalid` for a name with characters that are not allowed, `too many` beyond the limit
   */
  put(name: string, snapshot: Snapshot): void;
  /** @throws Problem `missing` */
  remove(name: string): void;
  clear(): void;
}

/** Takes snapshots. */
export interface SnapshotStore extends Snapshots {
  /**
   * Takes a snapshot. One with a name is stored, replacing any of the same name.
   *
   * @throws Problem `invalid` for a name with characters that are not allowed, `too many` beyond the limit
   */
  take(name?: string): Snapshot;
}

/** @param maxSnapshots maximum number of named snapshots */
export function createSnapshots(shop: OpenShop, maxSnapshots: number): SnapshotStore {
  const snapshots = new Map<string, Snapshot & { readonly name: string }>();
  const get = (name: string): Snapshot => {
    const snapshot = snapshots.get(name);
    if (snapshot !== undefined) return snapshot;
    const hint =
      snapshots.size === 0
        ? 'There are no snapshots.'
        : `Use one of ${[...snapshots.keys()].join(', ')}.`;
    const like = hintOf(name, [...snapshots.keys()]);
    throw new Problem('missing', `Snapshot '${name}' not found.${like} ${hint}`);
  };
  const put = (name: string, state: ShopState): Snapshot => {
    parseName(name, 'snapshot');
    if (!snapshots.has(name) && snapshots.size >= maxSnapshots) throw tooMany(maxSnapshots);
    snapshots.delete(name);
    const snapshot = { name, state };
    snapshots.set(name, snapshot);
    return snapshot;
  };
  return {
    list: () => [...snapshots.values()],
    get,
    take(name) {
      const state = shopState(shop);
      return name === undefined ? { name, state } : put(name, state);
    },
    put: (name, { state }) => void put(name, state),
    remove: (name) => void snapshots.delete(get(name).name ?? name),
    clear: () => snapshots.clear(),
  };
}

function tooMany(maxSnapshots: number): Problem {
  return new Problem(
    'too many',
    `Snapshot limit (${maxSnapshots}) reached. Delete a snapshot first.`,
  );
}
