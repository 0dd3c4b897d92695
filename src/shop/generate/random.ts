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
  /** Returns an index of a list of weights; -1 if the list is empty. */
  draw(weights: CumulativeWeights): number;
}

export function createRandom(seed: string): Random {
  const next = pseudoRandom(seed);
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    draw(weights) {
      const limit = next() * (weights.at(-1) ?? 0);
      return weights.findIndex((sum) => sum > limit);
    },
  };
}
