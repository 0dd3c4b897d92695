import { Problem } from './problem.ts';

/** A part of the package that an entry point has at once, or loads later or not at all. */
export interface OnDemand<Part> {
  /** @throws Problem `refused` if it is not loaded */
  readonly parts: () => Part;
  readonly isLoaded: () => boolean;
  /** Resolves when it is loaded. */
  readonly load: () => Promise<void>;
  /** Sets the part, which is there from then on. */
  readonly provide: (part: Part) => void;
}

/** Creates a part that is provided or loaded later; without `load`, only entry points provide it. */
export function onDemand<Part extends object>(load?: () => Promise<Part>): OnDemand<Part> {
  let loaded: Part | undefined;
  return {
    parts() {
      if (loaded !== undefined) return loaded;
      throw new Problem(
        'refused',
        "Not loaded yet. Await startWorker() or `recordHistory()` first, or import createBackOffice from 'backlot'.",
      );
    },
    isLoaded: () => loaded !== undefined,
    async load() {
      loaded ??= await load?.();
    },
    provide(part) {
      loaded = part;
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
