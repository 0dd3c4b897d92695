// This registers module hooks for what `run.ts` imports, so `run.ts` must be imported after it.
import './lean-dependencies.ts';

/** The program. The build replaces this module with a bundle, which needs no hooks. */
export const { run } = await import('./run.ts');
