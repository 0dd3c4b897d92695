import type { Summary } from './source.ts';

/** Where the shop stands in its history. */
export interface Timeline {
  /** The entries that changed something, oldest first, up to the newest state that was not left behind. */
  readonly points: readonly Summary[];
  /** Number of points that are in effect: the shop is as of `points[position - 1]`. */
  readonly position: number;
  /** The ids of entries that are not in effect, because the shop went back to before them. */
  readonly undone: ReadonlySet<number>;
}

/** The entry that led to a state, and the state before. */
interface Node {
  readonly id: number;
  readonly parent: Node | undefined;
}

/**
 * Follows the history through all rewinds. A rewind returns to an earlier state; a later change then begins a new branch,
 * and leaves the former one behind.
 *
 * @param entries oldest first
 */
export function timelineOf(entries: readonly Summary[]): Timeline {
  const states = new Map<number, Node | undefined>();
  let now: Node | undefined;
  let tip: Node | undefined;
  for (const entry of entries) {
    const target = rewindTarget(entry);
    if (target !== undefined) {
      now = stateAfter(states, target);
      if (!isAncestor(now, tip)) tip = now;
    } else {
      now = { id: entry.id, parent: now };
      tip = now;
    }
    states.set(entry.id, now);
  }
  return measure(entries, idsOf(now), idsOf(tip));
}

function measure(
  entries: readonly Summary[],
  inEffect: ReadonlySet<number>,
  onLine: ReadonlySet<number>,
): Timeline {
  const points = entries.filter((entry) => onLine.has(entry.id) && isPoint(entry));
  const undone = entries.filter(
    (entry) => rewindTarget(entry) === undefined && !inEffect.has(entry.id),
  );
  return {
    points,
    position: points.filter(({ id }) => inEffect.has(id)).length,
    undone: new Set(undone.map(({ id }) => id)),
  };
}

/** Whether an entry is worth a place on the time line. */
function isPoint({ by, changed }: Summary): boolean {
  return changed > 0 || by !== 'request';
}

/** Returns the id of the last entry in effect after a rewind; undefined for any other entry. */
export function rewindTarget({ by, title }: Summary): number | undefined {
  if (by !== 'restore') return undefined;
  const [, to, id] = /^rewind to (before|after) #(\d+)$/.exec(title) ?? [];
  if (id === undefined) return undefined;
  return to === 'before' ? Number(id) - 1 : Number(id);
}

/** The state after an entry, or after the last one before it that is known. */
function stateAfter(states: ReadonlyMap<number, Node | undefined>, id: number): Node | undefined {
  if (states.has(id)) return states.get(id);
  const known = [...states.keys()].findLast((one) => one < id);
  return known === undefined ? undefined : states.get(known);
}

function isAncestor(node: Node | undefined, of: Node | undefined): boolean {
  for (let one = of; one !== undefined; one = one.parent) if (one === node) return true;
  return node === undefined;
}

function idsOf(node: Node | undefined): Set<number> {
  const ids = new Set<number>();
  for (let one = node; one !== undefined; one = one.parent) ids.add(one.id);
  return ids;
}

/** Returns the request that leads to a position: a line for `Source.call` and its body. */
export function rewindTo(
  { points }: Timeline,
  position: number,
): { readonly id: number; readonly to: 'before' | 'after' } | undefined {
  if (position > 0) {
    const point = points[position - 1];
    return point === undefined ? undefined : { id: point.id, to: 'after' };
  }
  const [first] = points;
  return first === undefined ? undefined : { id: first.id, to: 'before' };
}
