import * as z from 'zod';
import { contract } from '../../src/shop/resources/index.ts';
import type { FormChildren } from '../../src/engine/rest/form.ts';

/** A collection of the contract, with a path that the default scenario and the small shop have. */
export interface Collection {
  readonly path: string;
  /** Fields of its items with scalar values, `id` first. */
  readonly scalars: readonly string[];
  readonly criteria: readonly string[];
  readonly sortable: readonly string[];
}

export const collections: readonly Collection[] = contract
  .filter(({ method, query }) => method === 'GET' && query !== undefined)
  .map(({ path, answer, query }) => ({
    path: path.replace(/:\w+/, '1').replace(/\/$/, ''),
    scalars: scalarsOf(itemOf(answer)),
    criteria: namesOf(query?.children['criteria']),
    sortable: namesOf(query?.children['sorting']),
  }));

function namesOf(children: FormChildren | undefined): string[] {
  return Object.keys(children ?? {});
}

function itemOf(page: z.ZodType | undefined): z.ZodObject {
  const embedded = page instanceof z.ZodObject ? page.shape['_embedded'] : undefined;
  const items = embedded instanceof z.ZodObject ? embedded.shape['items'] : undefined;
  const item = items instanceof z.ZodArray ? items.element : undefined;
  if (item instanceof z.ZodObject) return item;
  throw new TypeError('A collection answers a page of objects');
}

function scalarsOf(item: z.ZodObject): string[] {
  const isScalar = (field: unknown): boolean =>
    field instanceof z.ZodOptional
      ? isScalar(field.unwrap())
      : field instanceof z.ZodString ||
        field instanceof z.ZodNumber ||
        field instanceof z.ZodBoolean ||
        field instanceof z.ZodEnum;
  return Object.keys(item.shape).filter((name) => isScalar(item.shape[name]));
}
