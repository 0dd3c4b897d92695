import type { compile } from 'zod';
import { onDemand } from '../lib/on-demand.ts';

/** Compiles schemas, if an entry point provides it: a page would download more of zod than it gains. */
export const compiler = onDemand<{ readonly compile: typeof compile }>();
