const symbol = Symbol.for('backlot.parse');

type Host = typeof globalThis & { [symbol]?: typeof JSON.parse | undefined };

const host: Host = globalThis;

/** Parses JSON for Backlot itself: nothing that observes what the code under test reads is told of it. */
export function ownParse(text: string): unknown {
  return (host[symbol] ?? JSON.parse)(text);
}

/** Keeps the parser of Backlot itself while `JSON.parse` of a global object is observed; undefined ends it. */
export function keepOwnParse(parse: typeof JSON.parse | undefined, of: Host): void {
  of[symbol] = parse;
}
