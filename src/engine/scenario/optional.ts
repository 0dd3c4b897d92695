export * from './optional-parts.ts';

/** Loads the optional parts. In Node.js, they are there from the start. */
export async function loadOptionalParts(): Promise<void> {}
