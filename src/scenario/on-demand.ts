import { Problem } from '../lib/problem.ts';

/** A part of the package that a page loads later or not at all. */
export interface OnDemand<Part> {
  /** Returns a function that calls one of the part. It throws Problem `refused` if the part is not loaded. */
  readonly call: <Name extends keyof Part>(name: Name) => Part[Name];
  /** Sets the part, which is there from then on. */
  readonly provide: (part: Part) => void;
}

/** Creates a part that is provided later. */
export function onDemand<Part extends object>(): OnDemand<Part> {
  let loaded: Part | undefined;
  return {
    call<Name extends keyof Part>(name: Name) {
      const call = (...given: unknown[]): unknown => {
        if (loaded !== undefined) return (loaded[name] as typeof call)(...given);
        throw new Problem(
          'refused',
          "A part of the package that this needs is not loaded. Await `loaded()` of the back office first, or import createBackOffice from 'backlot'.",
        );
      };
      return call as Part[Name];
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
