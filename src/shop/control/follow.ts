import type { EngineShop, Following } from '../../engine/definition/api.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { orderInPath, orderKnownBy } from '../order-in-path.ts';
import { storeShop } from '../resources/endpoint.ts';
import { nextOf, upcomingOf } from './progress.ts';

/** Returns what is due to the order of a request, and the request that submits its next step. */
export function follow(
  engine: EngineShop,
  { url, answer }: { readonly url: string; readonly answer: { readonly body?: unknown } },
): Following {
  const shop = storeShop(engine);
  const { id, checkout_state } = isObject(answer.body) ? answer.body : {};
  const created = checkout_state === undefined ? '' : String(id);
  const order = shop.db.orders.get(orderKnownBy(shop, orderInPath(url) || created));
  if (order === undefined) return {};
  const due = upcomingOf(shop).find((one) => one.order === order.id);
  const { step, request, reason } = nextOf(shop, order);
  const next = request && `${request.method} ${request.url} ${JSON.stringify(request.body)}`;
  return {
    ...(due !== undefined && { due: `${due.event} at ${due.at}` }),
    ...(step !== undefined && { awaits: step, next: next ?? reason }),
  };
}
