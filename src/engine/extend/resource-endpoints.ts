import type * as z from 'zod';
import type { ApiContext, ApiEndpoint } from '../definition/api.ts';
import { byId, listing } from '../definition/listing.ts';
import { mustBeUnique } from '../definition/records.ts';
import { resourceRowsFor } from '../definition/resource-rows.ts';
import { mapValues } from '../lib/json-value.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { AnyCall } from '../rest/endpoint.ts';
import { form, partialForm } from '../rest/form.ts';
import { pageForm } from '../rest/page.ts';
import type { Row } from '../store/row.ts';
import {
  bodyShape,
  defaultsOf,
  described,
  criteriaShape,
  exampleBody,
  filterOf,
  referenceIssues,
  sortedFields,
  storedName,
  storedValues,
  valueIn,
} from './field-set.ts';
import { pathOf, tableOf } from './resource-parts.ts';
import type { ResourceOptions } from './resource.ts';

const resourceRows = resourceRowsFor<ApiContext>();

/** A call whose parameters the form of the resource has parsed. */
type FieldCall = Pick<AnyCall<ApiContext>, 'shop' | 'body'>;

/** Creates the endpoints that every resource has. */
export function resourceEndpoints(
  key: string,
  options: ResourceOptions,
  view: z.ZodType<Row>,
  show: (record: Row) => Row,
): readonly ApiEndpoint[] {
  const { singular, fields } = options;
  const example = exampleBody(fields);
  const body = bodyShape(fields, described);
  return resourceRows({
    path: pathOf(key),
    recordPath: `${pathOf(key)}:id`,
    summary: { one: singular },
    example: { create: example, change: example },
    table: (shop) => tableOf({ shop }, key),
    query: pageForm({
      criteria: criteriaShape(fields, described),
      sorting: ['id', ...sortedFields(fields), 'created_at', 'updated_at'],
    }),
    list: ({ shop, query: { criteria, sorting }, where }) =>
      listing(
        tableOf({ shop }, key),
        byId,
        { query: { sorting }, where },
        { where: [filterOf(fields, criteria)] },
      ),
    view,
    show,
    forms: { POST: form(body), PUT: form(body), PATCH: partialForm(body) },
    created: view,
    check: (call, self) => issuesIn(key, options, call, self),
    create: (call) =>
      show(tableOf(call, key).add(storedValues(fields, call.body, 'POST', call.shop.settings))),
    change(call, method) {
      const values = storedValues(fields, call.body, method, call.shop.settings);
      tableOf(call, key).change(call.subject.id, values);
    },
  });
}

function issuesIn(
  key: string,
  options: ResourceOptions,
  call: FieldCall,
  self?: Row,
): (FieldIssue | undefined)[] {
  const { fields } = options;
  const values = storedValues(fields, call.body, 'PATCH', call.shop.settings);
  const record = { ...defaultsOf(fields), ...self, ...values };
  const taken = Object.entries(uniqueKeys(options)).map(([name, keyOf]) => {
    const text = keyOf(record);
    // The types of a table that is not known have no names of keys.
    const owner =
      text === undefined ? undefined : tableOf(call, key).findUnique(name as never, text);
    return mustBeUnique(name, owner, self);
  });
  return [...referenceIssues(fields, call.shop.db, call.body), ...taken];
}

/** Returns the unique keys of a resource. A record that lacks one of their fields is like no other. */
export function uniqueKeys({ fields, unique = {} }: ResourceOptions) {
  return mapValues(unique, (all, name) => {
    const names = (all ?? [name]).map((one) => storedName(one, fields[one] ?? { options: {} }));
    return (record: object): string | undefined => {
      const values = names.map((one) => valueIn(record, one));
      return values.includes(undefined) ? undefined : JSON.stringify(values);
    };
  });
}
