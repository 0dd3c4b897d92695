import { parseName } from '../lib/names.ts';
import { Problem } from '../lib/problem.ts';
import type { OpenShop } from '../scenario/start.ts';
import { restoreState, shopState, type ShopState } from './shop-state.ts';

/** The saved state of a back office. It never changes. */
export interface Snapshot {
  /** Undefined for a snapshot that only the caller holds. */
  readonly name: string | undefined;
  readonly state: ShopState;
}

/** The named snapshots of a back office, oldest first. */
export interface Snapshots {
  list(): readonly (Snapshot & { readonly name: string })[];
  /** @throws Problem `missing` */
  get(name: string): Snapshot;
  /** @throws Problem `missing` */
  remove(name: string): void;
  clear(): void;
}

/** Takes and restores snapshots. */
export interface SnapshotStore extends Snapshots {
  /**
   * Takes a snapshot. One with a name is stored, replacing any of the same name.
   *
   * @throws Problem `invalid` for a name with characters that are not allowed, `too many` beyond the limit
   */
  take(name?: string): Snapshot;
  /** @throws Problem `missing` */
  restore(snapshot: string | Snapshot): void;
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
    throw new Problem('missing', `Snapshot '${name}' not found. ${hint}`);
  };
  return {
    list: () => [...snapshots.values()],
    get,
    take(name) {
      const state = shopState(shop);
      if (name === undefined) return { name, state };
      parseName(name, 'snapshot');
      if (!snapshots.has(name) && snapshots.size >= maxSnapshots) throw tooMany(maxSnapshots);
      snapshots.delete(name);
      const snapshot = { name, state };
      snapshots.set(name, snapshot);
      return snapshot;
    },
    restore(snapshot) {
      restoreState(shop, (typeof snapshot === 'string' ? get(snapshot) : snapshot).state);
    },
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
