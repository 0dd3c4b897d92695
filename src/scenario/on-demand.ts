import { Problem } from '../lib/problem.ts';

/** A part of the package that a page loads later or not at all. */
export interface OnDemand<Part> {
  /** @throws Problem `refused` if it is not loaded */
  parts(): Part;
  /** Has `parts` return this part, which is there already. */
  provide(part: Part): void;
}

/** Creates a part that is provided later. */
export function onDemand<Part>(): OnDemand<Part> {
  let loaded: Part | undefined;
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

let load: () => Promise<void> = async () => {};

/** Sets what `loadOptionalParts` does. */
export function loadPartsBy(provideAll: () => Promise<void>): void {
  load = provideAll;
}

/** Loads all parts that scenarios may need. */
export function loadOptionalParts(): Promise<void> {
  return load();
}
