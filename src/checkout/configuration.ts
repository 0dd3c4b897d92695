import type { Configuration } from '../models/fields.ts';
import type { Frozen } from '../store/row.ts';

/** The configuration of an action, a rule or a calculator. */
export type ReadonlyConfiguration = Frozen<Configuration>;

/** Returns a number; if it is unset or not a number, `otherwise`. */
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
