import { Problem } from './problem.ts';

/** A part of the package that an entry point has at once, when it is first needed, or loads later or not at all. */
export interface OnDemand<Part> {
  /** @throws Problem `refused` if it is neither loaded nor provided */
  readonly parts: () => Part;
  /** Whether it is loaded or provided. */
  readonly isLoaded: () => boolean;
  /** Resolves when it is loaded or provided. */
  readonly load: () => Promise<void>;
  /** Sets the function that gets the part when it is first needed. It is there from then on. */
  readonly provide: (get: () => Part) => void;
}

/** Creates a part that is provided or loaded later; without `load`, only entry points provide it. */
export function onDemand<Part extends object>(load?: () => Promise<Part>): OnDemand<Part> {
  let loaded: Part | undefined;
  let provided: (() => Part) | undefined;
  return {
    parts() {
      loaded ??= provided?.();
      if (loaded !== undefined) return loaded;
      throw new Problem(
        'refused',
        "Not loaded yet. Await startWorker() or `recordHistory()` first, or import createBackOffice from 'backlot'. In Jest, import 'backlot/jest'.",
      );
    },
    isLoaded: () => (loaded ?? provided) !== undefined,
    async load() {
      if (provided === undefined) loaded ??= await load?.();
    },
    provide(get) {
      provided = get;
    },
  };
}

/** Returns a part that is made of another one when it is first needed. */
export function derived<Part extends object, From>(
  { isLoaded, load, parts }: Pick<OnDemand<From>, 'isLoaded' | 'load' | 'parts'>,
  make: (from: () => From) => Part,
): Derived<Part> {
  let made: Part | undefined;
  return { isLoaded, load, parts: () => (made ??= make(parts)) };
}

/** A part that is made of one that an entry point provides. */
export type Derived<Part> = Omit<OnDemand<Part>, 'provide'>;
