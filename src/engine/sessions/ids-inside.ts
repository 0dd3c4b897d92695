import type { ApiDefinition } from '../definition/api.ts';
import type { BackOffice } from '../office/back-office.ts';
import type { RequestTarget } from '../rest/message.ts';
import type { ServerRequest } from './request-target.ts';

/** Returns a request to a record, or what sets one up, with ids in the place of UUIDs. Clients know records by these. */
export function withIdsInside(
  request: ServerRequest,
  { path }: RequestTarget,
  office: () => BackOffice,
): ServerRequest {
  if (!/[\da-f]{8}-[\da-f]{4}-/i.test(`${path} ${textOf(request)}`)) return request;
  const { shop } = office();
  const inside = (text: string): string => shop.api.ids?.inside(shop, text) ?? text;
  const there = inside(path);
  return {
    ...request,
    url: request.url.replace(path, () => there),
    target: undefined,
    ...(isOwn(shop.api, path) && { body: inside(textOf(request)) }),
  };
}

function textOf({ body = '' }: ServerRequest): string {
  return typeof body === 'string' ? body : '';
}

/** Whether what is sent to a control endpoint has a form that the API knows: rules of its script, and its own endpoints. */
function isOwn({ served }: ApiDefinition, path: string): boolean {
  const [, , name = ''] = path.split('/');
  const own = served?.parts().endpoints ?? [];
  return ['given', 'script'].includes(name) || own.some((row) => row.path.split('/')[2] === name);
}
