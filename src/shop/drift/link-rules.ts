import type { Report, Viewed } from '../../engine/definition/drift.ts';
import { at, expectEqual, idsIn, linksOf, type LinkedView } from '../../engine/drift/rule.ts';
import type { OrderItemView, PaymentView, ShipmentView } from '../../contract.ts';

/** The views of an order. */
export const orderViews = new Set(['Order', 'OrderInCheckout']);

/** The targets of links by their names. `*` is an id. */
export const links: Readonly<Record<string, string>> = {
  order: '/api/orders/*',
  'payment-method': '/api/payment-methods/*',
  method: '/api/shipping-methods/*',
  product: '/api/products/*',
  variant: '/api/products/*/variants/*',
  country: '/api/countries/*',
  province: '/api/countries/*/provinces/*',
  zone: '/api/zones/*',
  promotion: '/api/promotions/*',
  coupons: '/api/promotions/*/coupons/',
};

function linkId(viewed: LinkedView, name: string): number | string | undefined {
  const href = linksOf(viewed).find(([one]) => one === name)?.[1];
  return href === undefined ? undefined : idsIn(href).at(-1);
}

/** A payment, a shipment or a unit in an order links to that order. */
export function belongsToOrder(viewed: Viewed, report: Report): void {
  const order = viewed.within.find(({ view }) => orderViews.has(view));
  if (order === undefined) return;
  const place = at(viewed, '_links', 'order', 'href');
  expectEqual(
    report,
    'link',
    place,
    order.value['id'],
    'the id of its order',
    linkId(viewed, 'order'),
  );
}

export function paymentMethodLink(viewed: Viewed<PaymentView>, report: Report): void {
  const { method } = viewed.value;
  const place = at(viewed, '_links', 'payment-method');
  if (method === undefined) report('shape', at(viewed, 'method'), 'the payment method', undefined);
  expectEqual(
    report,
    'link',
    place,
    method?.id,
    'the id of `method`',
    linkId(viewed, 'payment-method'),
  );
}

export function shipmentMethodLink(viewed: Viewed<ShipmentView>, report: Report): void {
  const { method } = viewed.value;
  const place = at(viewed, '_links', 'method');
  expectEqual(report, 'link', place, method?.id, 'the id of `method`', linkId(viewed, 'method'));
}

export function itemLinks(viewed: Viewed<OrderItemView>, report: Report): void {
  const { variant } = viewed.value;
  const place = (name: string): string => at(viewed, '_links', name, 'href');
  expectEqual(
    report,
    'link',
    place('variant'),
    variant.id,
    'the id of `variant`',
    linkId(viewed, 'variant'),
  );
  expectEqual(
    report,
    'link',
    place('product'),
    variant.object.id,
    'the id of `variant.object`',
    linkId(viewed, 'product'),
  );
}
