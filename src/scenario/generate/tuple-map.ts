/** What is kept under a key, or is made and kept now. */
export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

/** Values that are kept under lists of numbers: those that begin alike share their way. */
export class TupleMap<Value> {
  readonly #root: Place<Value> = newPlace();

  /** What is kept under a list, or is made and kept now. */
  kept(list: readonly number[], make: () => Value): Value {
    let place = this.#root;
    for (const number of list) {
      const ways = (place.ways ??= new Map<number, Place<Value>>());
      place = getOrCreate(ways, number, newPlace<Value>);
    }
    return (place.value ??= make());
  }
}

interface Place<Value> {
  ways: Map<number, Place<Value>> | undefined;
  value: Value | undefined;
}

/** All of one shape, so that an engine finds its way through them fast. */
function newPlace<Value>(): Place<Value> {
  return { ways: undefined, value: undefined };
}
