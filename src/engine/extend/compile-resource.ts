import * as z from 'zod';
import type { ApiEndpoint } from '../definition/api.ts';
import { Id, stamps } from '../lib/fields.ts';
import { snakeCase } from '../lib/names.ts';
import { Link } from '../rest/page.ts';
import type { AnyDefinition } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import {
  defaultsOf,
  recordShape,
  shownFields,
  storedName,
  valueIn,
  viewShape,
  type Fields,
} from './field-set.ts';
import { ownEndpoint } from './own-endpoint.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { pathOf, viewName } from './resource-parts.ts';
import { issuesOfResource } from './resource-issues.ts';
import type { ResourceOptions, ResourceViews } from './resource.ts';

/** A resource as parts of an API: a table, endpoints and views. */
export interface CompiledResource extends ResourceViews {
  readonly table: AnyDefinition;
  endpoints(findView: (name: string) => ResourceViews | undefined): ApiEndpoint[];
}

/**
 * Compiles a resource.
 *
 * @param key the key of its table: `wishlists`
 */
function compileResource(key: string, options: ResourceOptions): CompiledResource {
  const { singular, fields } = options;
  const schema = z.object({ id: Id, ...recordShape(fields), ...stamps });
  const table: AnyDefinition = {
    name: snakeCase(key),
    singular,
    schema,
    references: referencesOf(fields),
    defaults: defaultsOf(fields),
    unique: uniqueKeys(options),
  };
  const links = linksOf(fields);
  const view = z.strictObject({
    id: z.int(),
    ...viewShape(fields),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
    _links: z.strictObject({
      self: Link,
      ...Object.fromEntries(links.map(({ name }) => [name, Link.optional()])),
    }),
  });
  const shown = shownFields(fields);
  const show = (record: Row) => ({
    id: record.id,
    ...shown(record),
    created_at: valueIn(record, 'created_at'),
    updated_at: valueIn(record, 'updated_at'),
    _links: { self: { href: `${pathOf(key)}${record.id}` }, ...linkOf(links, record) },
  });
  const views = {
    views: { [viewName(singular)]: view },
    show: (_: unknown, record: never) => show(record),
  };
  return {
    ...views,
    table,
    endpoints: (findView) => [
      ...resourceEndpoints(key, options, view, show),
      ...Object.entries(options.endpoints ?? {}).map(([route, own]) =>
        ownEndpoint(key, route, own, findView),
      ),
    ],
  };
}

interface RecordLink {
  readonly name: string;
  readonly path: string;
}

function linksOf(fields: Fields): RecordLink[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.reference === undefined || field.reference.isList
      ? []
      : [{ name: storedName(name, field), path: pathOf(field.reference.table) }],
  );
}

function linkOf(links: readonly RecordLink[], record: Row): object {
  const shown = links.flatMap(({ name, path }) => {
    const id = valueIn(record, name);
    return typeof id === 'number' ? [[name, { href: `${path}${id}` }] as const] : [];
  });
  return Object.fromEntries(shown);
}

function referencesOf(fields: Fields): Record<string, string> {
  const found = Object.entries(fields).flatMap(([name, field]) =>
    field.reference === undefined
      ? []
      : [[storedName(name, field), field.reference.table] as const],
  );
  return Object.fromEntries(found);
}

function uniqueKeys({ fields, unique = {} }: ResourceOptions) {
  return Object.fromEntries(
    Object.entries(unique).map(([name, all = [name]]) => {
      const stored = all.map((one) => storedName(one, fields[one] ?? { options: {} }));
      return [name, (row: Row) => keyText(stored, row)];
    }),
  );
}

/** Returns undefined for a record that lacks one of the fields: it is like no other. */
function keyText(names: readonly string[], row: object): string | undefined {
  const values = names.map((name) => valueIn(row, name));
  return values.includes(undefined) ? undefined : JSON.stringify(values);
}

/** What resources need. */
export const resourceCode = { compile: compileResource, issuesOf: issuesOfResource };

export type ResourceCode = typeof resourceCode;
