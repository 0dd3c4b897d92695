import { Problem } from '../lib/problem.ts';
import { restoreState, shopState, type ShopState } from './shop-state.ts';
import type { OpenShop } from '../scenario/start.ts';
import { parseName } from '../lib/names.ts';

/** Everything that a back office was at one moment. It never changes. */
export interface Snapshot {
  /** None where it was not given one. */
  readonly name: string | undefined;
  readonly moment: ShopState;
}

/** The snapshots of a back office that have a name, in the order in which they were taken. */
export interface Snapshots {
  list(): readonly (Snapshot & { readonly name: string })[];
  /** @throws Problem `missing` */
  get(name: string): Snapshot;
  /** @throws Problem `missing` */
  remove(name: string): void;
  clear(): void;
}

/** What takes snapshots and goes back to them. */
export interface SnapshotTaker extends Snapshots {
  /**
   * An older snapshot of the same name gives way.
   *
   * @throws Problem `invalid` for a name with odd characters, `too many` where no more can be kept
   */
  take(name?: string): Snapshot;
  /** @throws Problem `missing` */
  restore(snapshot: string | Snapshot): void;
}

/** @param most how many named ones are kept */
export function createSnapshots(shop: OpenShop, most: number): SnapshotTaker {
  const kept = new Map<string, Snapshot & { readonly name: string }>();
  const get = (name: string): Snapshot => {
    const snapshot = kept.get(name);
    if (snapshot !== undefined) return snapshot;
    const names = [...kept.keys()].join(', ') || 'none';
    throw new Problem('missing', `There is no snapshot ${name}; there are: ${names}.`);
  };
  return {
    list: () => [...kept.values()],
    get,
    take(name) {
      const moment = shopState(shop);
      if (name === undefined) return { name, moment };
      parseName(name, 'snapshot');
      if (!kept.has(name) && kept.size >= most) throw tooMany(most);
      kept.delete(name);
      const snapshot = { name, moment };
      kept.set(name, snapshot);
      return snapshot;
    },
    restore(snapshot) {
      restoreState(shop, (typeof snapshot === 'string' ? get(snapshot) : snapshot).moment);
    },
    remove: (name) => void kept.delete(get(name).name ?? name),
    clear: () => kept.clear(),
  };
}

function tooMany(most: number): Problem {
  return new Problem(
    'too many',
    `There are ${most} snapshots, the most that are kept here; remove one first.`,
  );
}
