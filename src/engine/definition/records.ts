import { definedOnly } from '../lib/json-value.ts';
import { exactly, product, rounded } from '../lib/numbers.ts';
import { snakeCase, type Snake } from '../lib/names.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import type { RequestTarget, RestSettings } from '../rest/endpoint.ts';
import { notValid } from '../rest/form.ts';
import { page, type Listing, type PageQuery, type PageView } from '../rest/page.ts';

/**
 * Returns the record with the id of a path.
 *
 * @param isWithin whether a row belongs to the parent record of a nested path, such as a coupon to its promotion
 * @throws Problem `missing`, with the text of the specification
 */
export function findOrThrow<Row>(
  table: Readable<Row>,
  id: string,
  isWithin: (row: Row) => boolean = () => true,
): Row {
  const row = /^[1-9]\d{0,14}$/.test(id) ? table.get(Number(id)) : undefined;
  if (row !== undefined && isWithin(row)) return row;
  throw unknownRecord(table.definition, id);
}

/** Returns the error of an id in a path, with the text of the specification. */
export function unknownRecord({ singular = 'record' }: Partial<Named> = {}, id: string): Problem {
  return new Problem(
    'missing',
    `Requested ${singular} does not exist with these criteria: ${JSON.stringify({ id })}.`,
  );
}

interface Named {
  readonly singular: string;
}

export interface Readable<Row> {
  get(id: number): Row | undefined;
  readonly definition: Named;
}

/** Returns an issue if a parameter refers to a record that does not exist. */
export function mustExist(
  name: string,
  table: { get(id: number): unknown },
  ids: number | readonly number[] | undefined,
): FieldIssue | undefined {
  if (ids === undefined) return undefined;
  const exist =
    typeof ids === 'number'
      ? table.get(ids) !== undefined
      : ids.every((id) => table.get(id) !== undefined);
  return exist ? undefined : { path: [name], message: notValid };
}

/** The message of an issue of a unique parameter. */
export const alreadyUsed = 'This value is already used.';

/** Returns an issue if another record has the value of a unique parameter. */
export function mustBeUnique(
  name: string,
  owner: { readonly id: number } | undefined,
  self: { readonly id: number } | undefined,
  message = alreadyUsed,
): FieldIssue | undefined {
  return owner === undefined || owner.id === self?.id ? undefined : { path: [name], message };
}

/** The parts of a call that choose a page. */
interface ListedCall {
  readonly shop: { readonly settings: RestSettings };
  readonly query: PageQuery;
  readonly target: RequestTarget;
}

/** Returns the requested page of a listing. */
export function pageOf<Row extends { readonly id: number }, Item extends object>(
  listing: Listing<Row>,
  view: (row: Row) => Item,
  call: ListedCall,
): PageView<Item> {
  const { query, target } = call;
  return page(listing, view, { query, target, maxLimit: call.shop.settings.maxLimit });
}

/**
 * Converts parameters to the fields of a record: `shortDescription` → `short_description`. A parameter that is null clears
 * its field; fields of omitted ones are unchanged.
 */
export function asStored<Sent extends object>(sent: Sent): StoredFields<Sent> {
  const entries = Object.entries(definedOnly(sent));
  const stored = entries.map(([name, value]) => [snakeCase(name), value ?? undefined] as const);
  return Object.fromEntries(stored) as StoredFields<Sent>;
}

type StoredFields<Sent> = {
  [Name in keyof Sent as undefined extends Sent[Name] ? never : Snake<Name & string>]: Sent[Name];
} & {
  [Name in keyof Sent as undefined extends Sent[Name] ? Snake<Name & string> : never]?: NonNullable<
    Sent[Name]
  >;
};

/** Converts an amount of a request to minor units, rounding half away from zero. */
export function minorUnits({ requestMoney }: RestSettings, sent: number): number {
  if (requestMoney === 'major') return rounded(product(exactly(sent), exactly(100)));
  // The sum turns -0 into 0.
  return Number.isInteger(sent) ? sent + 0 : rounded(exactly(sent));
}
