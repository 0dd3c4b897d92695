const symbol = Symbol.for('backlot.parse');

type Host = typeof globalThis & { [symbol]?: typeof JSON.parse | undefined };

/**
 * Parses JSON for Backlot itself: nothing that observes what the code under test reads is told of it.
 *
 * @param of the global object whose objects and arrays are returned
 */
export function ownParse(text: string, of: Host = globalThis): unknown {
  return (of[symbol] ?? of.JSON.parse)(text);
}

/** Keeps the parser of Backlot itself while `JSON.parse` of a global object is observed; undefined ends it. */
export function keepOwnParse(parse: typeof JSON.parse | undefined, of: Host): void {
  of[symbol] = parse;
}
