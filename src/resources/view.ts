import * as z from 'zod';
import type { TableName } from '../models/database.ts';

/** The names of views in documents: `ZoneView.register(views, { id: 'Zone' })`. */
export const views = z.registry<{ id: string }>();

type Hyphenated<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Hyphenated<Rest>}`
  : Name;

/** A table's name as paths write it: `payment-methods`. */
type Collection = Hyphenated<TableName>;

/** Returns a link to a record, or to a collection or a record below it: `linkTo('countries', 16, 'provinces', 1)`. */
export function linkTo(collection: Collection, id: number, below?: Collection, belowId?: number) {
  const href = `/api/${collection}/${id}`;
  return { href: below === undefined ? href : `${href}/${below}/${belowId ?? ''}` };
}
