import type { Configuration } from '../../engine/lib/fields.ts';
import type { Frozen } from '../../engine/store/row.ts';
import type { Calculator } from '../models/shipment.ts';
import {
  exactly,
  one,
  product,
  quotient,
  rounded,
  sum,
  zero,
  type Fraction,
} from '../../engine/lib/numbers.ts';

/** The configuration of an action, a rule or a calculator. */
export type ReadonlyConfiguration = Frozen<Configuration>;

/** Returns a number, or `otherwise` if the value is not a number. */
export function numberIn(configuration: ReadonlyConfiguration, key: string, otherwise = 0): number {
  const value = configuration[key];
  return typeof value === 'number' ? value : otherwise;
}

export function textIn(configuration: ReadonlyConfiguration, key: string): string | undefined {
  const value = configuration[key];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a flag; unset is false. */
export function flagIn(configuration: ReadonlyConfiguration, key: string): boolean {
  return configuration[key] === true;
}

/** Returns ids, from a list or a single id. */
export function idsIn(configuration: ReadonlyConfiguration, key: string): readonly number[] {
  const value = configuration[key];
  if (typeof value === 'number') return [value];
  return typeof value === 'object' ? value : [];
}

/** The measures of a unit that calculators use. */
export interface Measured {
  readonly weight?: number | undefined;
  readonly volume?: number | undefined;
}

/** A part of a cost: a price in minor units, times a number of units or their measure, for each `per` of it. */
export type Term = readonly [price: number, times?: Fraction, per?: number];

type Calculate = (configuration: ReadonlyConfiguration, units: readonly Measured[]) => Term[];

/** Returns the parts whose sum is the cost of shipping: one or more. */
export function shippingTerms(
  calculator: Calculator,
  configuration: ReadonlyConfiguration,
  units: readonly Measured[],
): Term[] {
  return calculators[calculator](configuration, units);
}

/** Returns the sum of the parts of a cost, in minor units of the currency. */
export function costOf(terms: readonly Term[]): number {
  return rounded(terms.map(valueOf).reduce(sum));
}

function valueOf([price, times = one, per = 1]: Term): Fraction {
  return quotient(product(exactly(price), times), exactly(per));
}

const calculators: Readonly<Record<Calculator, Calculate>> = {
  flat_rate: (configuration) => [[numberIn(configuration, 'amount')]],
  per_item_rate: (configuration, units) => [
    [numberIn(configuration, 'amount'), exactly(units.length)],
  ],
  flexible_rate: flexibleRate,
  weight_rate: (configuration, units) => perMeasure(configuration, units, ({ weight }) => weight),
  volume_rate: (configuration, units) => perMeasure(configuration, units, ({ volume }) => volume),
};

/** Charges the first unit, and the others up to the limit; 0 is unlimited. */
function flexibleRate(configuration: ReadonlyConfiguration, units: readonly Measured[]): Term[] {
  const limit = numberIn(configuration, 'additional_item_limit');
  const others = Math.max(0, units.length - 1);
  const charged = exactly(limit === 0 ? others : Math.min(others, limit));
  return [
    [numberIn(configuration, 'first_item_cost')],
    [numberIn(configuration, 'additional_item_cost'), charged],
  ];
}

/** A division of 0 or less is read as 1. */
function perMeasure(
  configuration: ReadonlyConfiguration,
  units: readonly Measured[],
  measure: (unit: Measured) => number | undefined,
): Term[] {
  const times = units.map((unit) => exactly(measure(unit) ?? 0)).reduce(sum, zero);
  const division = numberIn(configuration, 'division', 1);
  return [[numberIn(configuration, 'amount'), times, division > 0 ? division : 1]];
}
