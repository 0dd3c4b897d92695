import type { Configuration } from '../models/fields.ts';
import type { Frozen } from '../store/row.ts';

/** What an action, a rule or a calculator was set to. */
export type ReadonlyConfiguration = Frozen<Configuration>;

/** A number that is set there; what is not set, or is no number, counts as `otherwise`. */
export function numberIn(configuration: ReadonlyConfiguration, key: string, otherwise = 0): number {
  const value = configuration[key];
  return typeof value === 'number' ? value : otherwise;
}

export function textIn(configuration: ReadonlyConfiguration, key: string): string | undefined {
  const value = configuration[key];
  return typeof value === 'string' ? value : undefined;
}

/** Not set is false. */
export function flagIn(configuration: ReadonlyConfiguration, key: string): boolean {
  return configuration[key] === true;
}

/** Ids that are set there, be it a list or one. */
export function idsIn(configuration: ReadonlyConfiguration, key: string): readonly number[] {
  const value = configuration[key];
  if (typeof value === 'number') return [value];
  return typeof value === 'object' ? value : [];
}
