import { Problem } from './problem.ts';

/**
 * The id that a path names.
 *
 * @throws Problem `missing` for a text that is no id
 */
export function parseId(what: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Problem('missing', `There is no ${what} ${text.slice(0, 80)}.`);
}
