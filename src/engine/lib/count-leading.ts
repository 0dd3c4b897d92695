/** Returns the number of leading elements with a property that no later element has, by binary search. */
export function countLeading<Element>(
  list: readonly Element[],
  isLeading: (element: Element) => boolean,
): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLeading(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
