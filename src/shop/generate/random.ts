import { pseudoRandom } from '../../engine/lib/pseudo-random.ts';

/** The running sums of a list of weights. */
export type CumulativeWeights = readonly number[];

/** Returns the running sums of weights. An index of weight 2 is drawn twice as often as one of weight 1. */
export function cumulate(weights: readonly number[]): CumulativeWeights {
  let sum = 0;
  return weights.map((weight) => (sum += weight));
}

/** A seeded source of random choices. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer between two bounds, both inclusive. */
  between(from: number, to: number): number;
  /** Returns an item of a list that is not empty. */
  pick<Item>(list: readonly Item[]): Item;
  /** Returns an index of a list of weights. */
  draw(weights: CumulativeWeights): number;
}

export function createRandom(seed: string): Random {
  const next = pseudoRandom(seed);
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    draw: (weights) => upperBound(weights, next() * (weights.at(-1) ?? 0)),
  };
}

/**
 * Returns the number of items that are at most the limit, by binary search in a sorted list:
 * [upper_bound](https://en.cppreference.com/w/cpp/algorithm/upper_bound) of C++.
 */
export function upperBound(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
