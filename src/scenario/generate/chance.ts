import { pseudoRandom } from '../../lib/pseudo-random.ts';

/** Weights, each added to those before it. */
export type Odds = readonly number[];

/** Odds of weights: a weight of 2 comes twice as often as one of 1. */
export function oddsOf(weights: readonly number[]): Odds {
  let sum = 0;
  return weights.map((weight) => (sum += weight));
}

/** Decisions that look like chance and are the same for the same seed. */
export interface Chance {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  /** One of a list that is not empty. */
  pick<Item>(list: readonly Item[]): Item;
  /** A position of some odds. */
  draw(odds: Odds): number;
}

export function createChance(words: string): Chance {
  const next = pseudoRandom(words);
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    draw: (odds) => countUpTo(odds, next() * (odds.at(-1) ?? 0)),
  };
}

/** How many of some sorted numbers are no higher than one. */
export function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
