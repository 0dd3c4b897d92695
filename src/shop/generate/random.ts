import { pseudoRandom } from '../../engine/lib/pseudo-random.ts';

/** A seeded source of random choices. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer between two bounds, both inclusive. */
  between(from: number, to: number): number;
  /** Returns an item of a list that is not empty. */
  pick<Item>(list: readonly Item[]): Item;
  /** Returns an index of a list of weights that is not empty. One of weight 2 is drawn twice as often as one of weight 1. */
  draw(weights: readonly number[]): number;
}

export function createRandom(seed: string): Random {
  const next = pseudoRandom(seed);
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    draw(weights) {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
      return weights.findIndex((weight) => (left -= weight) < 0);
    },
  };
}
