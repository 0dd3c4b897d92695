import type { Order } from '../../src/shop/models/order.ts';
import {
  fillCart,
  openShop,
  sell,
  type BackOffice,
  type Step,
  stock,
  takeUntil,
} from '../support/checkout.ts';

/** Opens a shop with an order of two pieces from two stock locations, submitted up to a step. */
export function orderAt(last: Step): { shop: BackOffice; order: Order } {
  const shop = openShop();
  const teapot = sell(shop);
  stock(shop, teapot, 1);
  stock(shop, teapot, 5);
  return { shop, order: takeUntil(shop, fillCart(shop, [{ ...teapot, quantity: 2 }]), last) };
}
