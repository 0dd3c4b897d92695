/**
 * Pairs of integers: an id or a position in an even element, the number to sort it by in the element after it. Engines sort
 * them as 64-bit integers, whose lower half comes first in memory on all common processors, without calling a function:
 * before any code is compiled, that takes a fraction of the time of a loop.
 */
export type NumberPairs = Int32Array;

/** Returns room for pairs. */
export function createPairs(count: number): NumberPairs {
  return new Int32Array(2 * count);
}

/** Whether an integer has a place in a pair. */
export function fitsPair(number: number): boolean {
  return number === (number | 0);
}

/** Sorts pairs in place, by their numbers and then by their ids or positions, and returns them. */
export function sortPairs(pairs: NumberPairs): NumberPairs {
  new BigInt64Array(pairs.buffer).sort();
  return pairs;
}
