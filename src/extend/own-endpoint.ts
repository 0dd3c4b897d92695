import type { ApiContext, ApiEndpoint } from '../definition/api.ts';
import { findOrThrow } from '../definition/records.ts';
import { Problem } from '../lib/problem.ts';
import type { AnyCall } from '../rest/endpoint.ts';
import { form } from '../rest/form.ts';
import type { AnyDatabase } from '../store/database.ts';
import { bodyShape, exampleBody, referenceIssues, type Fields } from './field-set.ts';
import { endpoint, pathOf, tableOf } from './resource-parts.ts';
import type { EndpointCall, EndpointOptions, ResourceViews } from './resource.ts';

/** Creates the endpoint of a row such as `POST /:id/cart`. */
export function ownEndpoint(
  key: string,
  route: string,
  own: EndpointOptions,
  findView: (name: string) => ResourceViews | undefined,
): ApiEndpoint {
  const [method = '', below = ''] = route.split(' ');
  const { body: fields = {}, answer: name } = own;
  const views = name === undefined ? undefined : findView(name);
  const namesRecord = below.startsWith('/:id');
  const path = `${pathOf(key).slice(0, -1)}${below}`;
  return endpoint({
    method: method as 'POST',
    path,
    summary: own.summary,
    ...(own.body !== undefined && { body: form(bodyShape(fields)) }),
    status: own.status ?? (name === undefined ? 204 : 200),
    answer: name === undefined ? undefined : views?.views[name],
    errors: [
      ...(namesRecord ? (['missing'] as const) : []),
      ...(own.body === undefined ? [] : (['invalid'] as const)),
    ],
    example: {
      url: path.replaceAll(/:\w+/g, '1'),
      ...(own.body !== undefined && { body: own.example ?? exampleBody(fields) }),
    },
    ...(namesRecord && {
      subject: (call: Pick<AnyCall<ApiContext>, 'shop' | 'params'>) =>
        findOrThrow(tableOf(call, key), call.params['id'] ?? ''),
    }),
    check: ({ shop, body }) => referenceIssues(fields, shop.db, body),
    handle(call) {
      const record = own.handle(callOf(call) as never);
      if (name === undefined) return undefined;
      if (views !== undefined && typeof record === 'object')
        return views.show(call.shop, record as never);
      throw new Problem('fault', `${route} of ${key} returned no record for its answer ${name}`);
    },
  });
}

/** Returns a request as the code of a definition gets it. It is a transaction already. */
export function callOf(
  call: AnyCall<ApiContext>,
): EndpointCall<unknown, Fields, AnyDatabase, unknown> {
  const { shop, subject: record, body, params } = call;
  const { db, clock, settings, api } = shop;
  return {
    record,
    body: body ?? {},
    params,
    db,
    clock,
    settings,
    // Few calls use it.
    get checkout() {
      const own: { readonly checkout?: unknown } = api.operations?.(shop, (work) => work()) ?? {};
      return own.checkout;
    },
    issue: (parameter, message) => ({ path: parameter.split('.'), message }),
  };
}
