import { Problem } from './problem.ts';

/** A part of the package that a page loads later or not at all. */
export interface OnDemand<Part> {
  /** @throws Problem `refused` if it is not loaded */
  readonly parts: () => Part;
  readonly isLoaded: () => boolean;
  /** Returns a function that calls one of the part. @throws Problem as `parts` when it is called */
  readonly call: <Name extends keyof Part>(name: Name) => Part[Name];
  /** Sets the part, which is there from then on. */
  readonly provide: (part: Part) => void;
}

/** Creates a part that is provided later. @param loaded the part, if it is there already */
export function onDemand<Part extends object>(loaded?: Part): OnDemand<Part> {
  const parts = (): Part => {
    if (loaded !== undefined) return loaded;
    throw new Problem(
      'refused',
      "Not loaded yet. Await `loaded()` of the back office first, or import createBackOffice from 'backlot'.",
    );
  };
  return {
    parts,
    isLoaded: () => loaded !== undefined,
    call<Name extends keyof Part>(name: Name) {
      const call = (...given: unknown[]): unknown => (parts()[name] as typeof call)(...given);
      return call as Part[Name];
    },
    provide(part) {
      loaded = part;
    },
  };
}

/** Returns a part that is made of another one when it is first needed. */
export function derived<Part extends object>(
  from: OnDemand<Part>,
  make: () => Part,
): OnDemand<Part> {
  return { ...from, parts: make };
}

let load: () => Promise<void> = async () => {};

/** Sets what `loadOptionalParts` does. */
export function loadPartsBy(provideAll: () => Promise<void>): void {
  load = provideAll;
}

/** Loads all parts that back offices may need. */
export function loadOptionalParts(): Promise<void> {
  return load();
}
