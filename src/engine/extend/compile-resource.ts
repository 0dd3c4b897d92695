import * as z from 'zod';
import type { ApiEndpoint } from '../definition/api.ts';
import { Id, stamps } from '../lib/fields.ts';
import { snakeCase } from '../lib/names.ts';
import { Link } from '../rest/page.ts';
import type { AnyDefinition } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import {
  defaultsOf,
  publicTexts,
  recordShape,
  referencesIn,
  secretFields,
  shownFields,
  valueIn,
  viewShape,
  type Referring,
} from './field-set.ts';
import { userEndpoint } from './user-endpoint.ts';
import { resourceEndpoints, uniqueKeys } from './resource-endpoints.ts';
import { pathOf, viewName } from './resource-parts.ts';
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
export function compileResource(key: string, options: ResourceOptions): CompiledResource {
  const { singular, fields } = options;
  const references = referencesIn(fields);
  const schema = z.object({ id: Id, ...recordShape(fields), ...stamps });
  const table: AnyDefinition = {
    name: snakeCase(key),
    singular,
    schema,
    references: Object.fromEntries(references.map(({ name, table: to }) => [name, to])),
    defaults: defaultsOf(fields),
    unique: uniqueKeys(options),
    secret: secretFields(fields),
    texts: publicTexts(fields),
    isAdded: true,
  };
  const links = references.filter(({ isList }) => !isList);
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
  return {
    views: { [viewName(singular)]: view },
    show: (_, record) => show(record),
    table,
    endpoints(findView) {
      const others = Object.entries(options.endpoints ?? {}).map(([route, own]) =>
        userEndpoint(key, route, own, findView),
      );
      const rows = [...resourceEndpoints(key, options, view, show), ...others];
      return rows.map((row) => ({ ...row, isExtension: true }));
    },
  };
}

function linkOf(links: readonly Referring[], record: Row): object {
  const shown = links.flatMap(({ name, table }) => {
    const id = valueIn(record, name);
    return typeof id === 'number' ? [[name, { href: `${pathOf(table)}${id}` }] as const] : [];
  });
  return Object.fromEntries(shown);
}
