// What `run.ts` imports is loaded leaner after this, so it cannot be imported beside it.
import './lean-dependencies.ts';

/** The program; the build puts all of it into one file in this one's place, which needs nothing of the above. */
export const { run } = await import('./run.ts');
