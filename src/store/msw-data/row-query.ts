import { Query, type Condition, type PredicateFunction } from '@msw/data';
import { isPlain } from '../row.ts';

type Part<T> = Query<T> | Condition<T> | PredicateFunction<T>;

/**
 * The library's query, except that it matches what it says and nothing more:
 *
 * - a function is asked about the value that stands there, be it an object, an array or undefined
 * - a condition on a list wants a list that is not empty, and holds for each of its items
 * - null and undefined match themselves
 *
 * A query that can only match one id knows it, so that a table need not look at all of its rows.
 */
export class RowQuery<T> extends Query<T> {
  /** The only id that can match, where one is named. */
  readonly id: number | undefined;
  readonly #predicate: PredicateFunction<T> | undefined;

  constructor(predicate?: PredicateFunction<NoInfer<T>>, id?: number) {
    super(predicate);
    this.#predicate = predicate;
    this.id = id;
  }

  override where(condition: Condition<T> | PredicateFunction<T>): RowQuery<T> {
    return this.and(condition);
  }

  override and(...parts: Part<T>[]): RowQuery<T> {
    const predicates = this.#with(parts);
    const id = [this.id, ...parts.map(idOf)].find((one) => one !== undefined);
    return new RowQuery<T>((row) => predicates.every((predicate) => predicate(row)), id);
  }

  override or(...parts: Part<T>[]): RowQuery<T> {
    const predicates = this.#with(parts);
    return new RowQuery<T>((row) => predicates.some((predicate) => predicate(row)));
  }

  #with(parts: readonly Part<T>[]): PredicateFunction<T>[] {
    return [this.#predicate, ...parts.map(predicateOf)].filter((one) => one !== undefined);
  }
}

function predicateOf<T>(part: Part<T>): PredicateFunction<T> {
  if (part instanceof Query) return (row) => part.test(row);
  if (typeof part === 'function' || isPlain(part)) return fitting(part);
  throw new TypeError(
    `Failed to build a query: expected an object, a function or a query but got ${JSON.stringify(part)}`,
  );
}

function idOf(part: unknown): number | undefined {
  if (part instanceof RowQuery) return part.id;
  return isPlain(part) && typeof part['id'] === 'number' ? part['id'] : undefined;
}

/** What a selector asks of the value at its place. */
function fitting(selector: unknown): (value: unknown) => boolean {
  if (isPredicate(selector)) return (value) => Boolean(selector(value));
  if (Array.isArray(selector)) return fittingList(selector.map(fitting));
  const fitsOne = isPlain(selector)
    ? fittingFields(selector)
    : (value: unknown) => value === selector;
  return (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(fitsOne) : fitsOne(value);
}

function fittingFields(selector: Readonly<Record<string, unknown>>): (value: unknown) => boolean {
  const fields = Object.entries(selector).map(([key, inner]) => ({ key, fits: fitting(inner) }));
  return (value) => isPlain(value) && fields.every(({ key, fits }) => fits(value[key]));
}

function fittingList(
  items: ReadonlyArray<(value: unknown) => boolean>,
): (value: unknown) => boolean {
  return (value) =>
    Array.isArray(value) &&
    value.length === items.length &&
    items.every((fits, at) => fits(value[at]));
}

function isPredicate(selector: unknown): selector is PredicateFunction<unknown> {
  return typeof selector === 'function';
}
