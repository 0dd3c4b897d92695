import type { ViewNode, ViewReport } from '../../engine/definition/drift.ts';
import { idsIn, linksOf } from '../drift/rule.ts';
import type { OrderItemView, PaymentView, ShipmentView } from '../../contract.ts';

/** The views of an order. */
export const orderViews = new Set(['Order', 'OrderInCheckout']);

/** The targets of links that are not named after the view of their record. `*` is an id. */
export const links: Readonly<Record<string, string>> = {
  method: '/api/shipping-methods/*',
  variant: '/api/products/*/variants/*',
  coupons: '/api/promotions/*/coupons/',
};

/** Checks that a link of a view leads to the record with an id. */
function checkTarget(
  viewed: ViewNode<object>,
  { equal }: ViewReport,
  name: string,
  id: unknown,
  why: string,
): void {
  const found = idsIn(linksOf(viewed).get(name) ?? '').at(-1);
  if (found !== id) equal('link', ['_links', name, 'href'], id, why, found);
}

/** A payment, a shipment or a unit in an order links to that order. */
export function belongsToOrder(viewed: ViewNode, check: ViewReport): void {
  const order = viewed.within.find(({ view }) => orderViews.has(view));
  if (order !== undefined)
    checkTarget(viewed, check, 'order', order.value['id'], 'the id of its order');
}

export function paymentMethodLink(viewed: ViewNode<PaymentView>, check: ViewReport): void {
  const { method } = viewed.value;
  if (method === undefined) check.report('shape', 'method', 'the payment method');
  checkTarget(viewed, check, 'payment-method', method?.id, 'the id of `method`');
}

export function shipmentMethodLink(viewed: ViewNode<ShipmentView>, check: ViewReport): void {
  checkTarget(viewed, check, 'method', viewed.value.method?.id, 'the id of `method`');
}

export function itemLinks(viewed: ViewNode<OrderItemView>, check: ViewReport): void {
  const { variant } = viewed.value;
  checkTarget(viewed, check, 'variant', variant.id, 'the id of `variant`');
  checkTarget(viewed, check, 'product', variant.object.id, 'the id of `variant.object`');
}
