import type { EngineShop, Following } from '../../engine/definition/api.ts';
import { requestLine } from '../../engine/definition/explanation-text.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import type { MachineName } from '../checkout/machines/transition.ts';
import { transitionsOf } from '../explain/next-transitions.ts';
import { orderInPath, orderKnownBy } from '../order-in-path.ts';
import { storeShop, type Shop } from '../resources/endpoint.ts';
import { nextOf, upcomingOf } from './progress.ts';

interface Exchange {
  readonly url: string;
  readonly answer: { readonly body?: unknown };
}

/**
 * Returns what the clock does next to the order of a request, the step that it awaits, and the request that submits it or why there
 * is none. If it awaits none, the request applies the first transition that is possible.
 */
export function follow(engine: EngineShop, exchange: Exchange): Following {
  const shop = storeShop(engine);
  const { machine, id, order: order_id } = subjectOf(shop, exchange);
  const order = shop.db.orders.get(order_id);
  if (order === undefined) return {};
  const due = upcomingOf(shop).find((one) => one.order === order.id);
  const { step, request, reason } = nextOf(shop, order);
  const possible =
    step === undefined ? transitionsOf(shop, machine, id).find((one) => one.possible) : undefined;
  const next = request ?? possible?.request;
  return {
    due: due && `${due.event} at ${due.at}`,
    awaits: step,
    next: next === undefined ? step && reason : requestLine(next),
  };
}

/** Returns the record of a state machine that a path names or a response shows, and its order. */
function subjectOf(shop: Shop, { url, answer }: Exchange) {
  const [, part = '', text = ''] = /^[^?]*\/(payment|shipment)s\/([^/?]+)/.exec(url) ?? [];
  if (part === 'payment' || part === 'shipment') {
    const id = shop.api.ids?.idOf(shop, `${part}s`, text) ?? Number(text);
    const record = shop.db[`${part}s`].get(id);
    const machine: MachineName = part;
    if (record !== undefined) return { machine, id, order: record.order_id };
  }
  const { id: shown, checkout_state } = isObject(answer.body) ? answer.body : {};
  const created = checkout_state === undefined ? '' : String(shown);
  const order = orderKnownBy(shop, orderInPath(url) || created);
  return { machine: 'order' as const, id: order, order };
}
