import type { ApiContext, ApiEndpoint, EngineShop } from '../definition/api.ts';
import { findOrThrow } from '../definition/records.ts';
import { rowOf } from '../definition/resource-rows.ts';
import { Problem } from '../lib/problem.ts';
import { methods, type AnyCall } from '../rest/endpoint.ts';
import { form } from '../rest/form.ts';
import { bodyShape, described, exampleBody, referenceIssues, valuesOf } from './field-set.ts';
import { isRow } from '../store/row.ts';
import { pathOf, tableOf } from './resource-parts.ts';
import type { EndpointOptions, NamedCall, ResourceViews, Work } from './resource.ts';

const endpoint = rowOf<ApiContext>();

/** Creates the endpoint of a row such as `POST /:id/publish`. */
export function userEndpoint(
  key: string,
  route: string,
  options: EndpointOptions,
  findView: (name: string) => ResourceViews | undefined,
): ApiEndpoint {
  const [verb, below = ''] = route.split(' ');
  const { body: fields = {}, answer: name } = options;
  const views = name === undefined ? undefined : findView(name);
  const namesRecord = below.startsWith('/:id');
  const path = `${pathOf(key).slice(0, -1)}${below}`;
  return endpoint({
    method: methods.find((one) => one === verb) ?? 'POST',
    path,
    summary: options.summary,
    ...(options.body !== undefined && { body: form(bodyShape(fields, described)) }),
    status: options.status ?? (name === undefined ? 204 : 200),
    answer: name === undefined ? undefined : views?.views[name],
    errors: [
      ...(namesRecord ? (['missing'] as const) : []),
      ...(options.body === undefined ? [] : (['invalid'] as const)),
    ],
    example: {
      url: path.replaceAll(/:\w+/g, '1'),
      ...(options.body !== undefined && { body: options.example ?? exampleBody(fields) }),
    },
    ...(namesRecord && {
      subject: (call: Pick<AnyCall<ApiContext>, 'shop' | 'params'>) =>
        findOrThrow(tableOf(call, key), call.params['id'] ?? ''),
    }),
    check: ({ shop, body }) => referenceIssues(fields, shop.db, body),
    handle(call) {
      const record = options.handle({ ...callOf(call, 'record'), record: call.subject });
      if (name === undefined) return undefined;
      if (views !== undefined && isRow(record)) return views.show(call.shop, record);
      throw new Problem('fault', `${route} of ${key} returned no record for its answer ${name}`);
    },
  });
}

/**
 * Returns a request as the code of a definition gets it. It is a transaction already.
 *
 * @param name what the code calls the record of the request
 */
export function callOf(
  {
    shop,
    subject,
    body,
    params,
  }: Pick<AnyCall<ApiContext>, 'shop' | 'subject' | 'body' | 'params'>,
  name = 'record',
): NamedCall {
  return { ...workOf(shop), [name]: subject, body: valuesOf(body), params };
}

/** Returns the context of the code of a definition. */
export function workOf(shop: EngineShop): Work {
  const { db, clock, settings, api } = shop;
  return {
    db,
    clock,
    settings,
    ...api.officeMethods?.(shop, (work) => work()),
    issue: (parameter, message) => ({ path: parameter.split('.'), message }),
  };
}
