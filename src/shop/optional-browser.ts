import { loadPartsBy, onDemand } from '../scenario/on-demand.ts';
import { provideScenarioParts } from '../scenario/optional-browser.ts';
import type * as Generator from './generate/generate.ts';
import type * as Parts from './optional-parts.ts';

const optional = onDemand<typeof Generator>();

loadPartsBy(async () => provideOptionalParts(await import('./optional-parts.ts')));

/** Replaces `optional.ts` in the bundle for browsers, which loads the generator later or not at all. */
export const generateOrders: typeof Generator.generateOrders = (...given) =>
  optional.parts().generateOrders(...given);

/** Has `generateOrders` and the functions that scenarios need call these parts. */
export function provideOptionalParts({ ofScenarios, generator }: typeof Parts): void {
  provideScenarioParts(ofScenarios);
  optional.provide(generator);
}
