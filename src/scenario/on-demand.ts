import { Problem } from '../lib/problem.ts';

/** A part of the package that a page loads later or not at all. */
export interface OnDemand<Part> {
  /** @throws Problem `refused` if it is not loaded */
  parts(): Part;
  /** Has `parts` return this part, which is there already. */
  provide(part: Part): void;
}

/** Creates a part that `loadOptionalParts` loads. */
export function onDemand<Part>(load: () => Promise<Part>): OnDemand<Part> {
  let loaded: Part | undefined;
  loaders.push(async () => {
    loaded ??= await load();
  });
  return {
    parts() {
      if (loaded !== undefined) return loaded;
      throw new Problem(
        'refused',
        "A part of the package that this scenario needs is not loaded. Await `loaded()` of the back office first, or import createBackOffice from 'backlot'.",
      );
    },
    provide(part) {
      loaded = part;
    },
  };
}

const loaders: (() => Promise<void>)[] = [];

/** Loads all parts that scenarios may need. */
export async function loadOptionalParts(): Promise<void> {
  await Promise.all(loaders.map((load) => load()));
}
