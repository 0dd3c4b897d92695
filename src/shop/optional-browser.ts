import { onDemand } from '../scenario/on-demand.ts';
import type * as Generator from './generate/generate.ts';

const optional = onDemand(() => import('./generate/generate.ts'));

/** Replaces `optional.ts` in the bundle for browsers, which loads the generator later or not at all. */
export const generateOrders: typeof Generator.generateOrders = (...given) =>
  optional.parts().generateOrders(...given);

/** Has `generateOrders` call this generator. */
export const provideGenerator: typeof optional.provide = (parts) => optional.provide(parts);
