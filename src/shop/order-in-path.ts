import type { EngineShop } from '../engine/definition/api.ts';

/** Returns the client's id of the order in a URL: an id, or a UUID; empty if it names none. */
export function orderInPath(url: string): string {
  const [, order = ''] = /^[^?]*\/(?:orders|checkouts)\/([^/?]+)/.exec(url) ?? [];
  return order;
}

/** Returns the id of an order. @param known what clients know it by */
export function orderKnownBy(shop: EngineShop, known: string): number {
  return shop.api.ids?.idOf(shop, 'orders', known) ?? Number(known);
}
