import { exactly, product, rounded } from '../checkout/fraction.ts';
import type { RestSettings } from '../rest/settings.ts';

/** An amount of a request as minor units; half a unit is rounded away from zero. */
export function minorUnits(settings: RestSettings, sent: number): number {
  const factor = settings.requestMoney === 'major' ? 100 : 1;
  return rounded(product(exactly(sent), exactly(factor)));
}
