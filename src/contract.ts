import { typedContract } from './shop/resources/index.ts';

export * from './client.ts';
export { AddressView } from './shop/resources/address.ts';
export { ChannelView } from './shop/resources/channel.ts';
export { PaymentProposalView, ShippingProposalView } from './shop/resources/checkout-proposal.ts';
export { CountryView } from './shop/resources/country.ts';
export { CouponView } from './shop/resources/coupon.ts';
export { OrderInCheckoutView, OrderView } from './shop/resources/order.ts';
export { AdjustmentView, OrderItemView } from './shop/resources/order-item.ts';
export { PaymentView } from './shop/resources/payment.ts';
export { PaymentMethodView } from './shop/resources/payment.ts';
export { ProductView } from './shop/resources/product.ts';
export { VariantInOrderView } from './shop/resources/product-variant.ts';
export { PromotionView } from './shop/resources/promotion.ts';
export { ProvinceView } from './shop/resources/country.ts';
export { ShipmentView } from './shop/resources/shipment.ts';
export { ShippingMethodView } from './shop/resources/shipment.ts';
export { StockLocationView } from './shop/resources/stock-location.ts';
export { UserView } from './shop/resources/user.ts';
export { ZoneView } from './shop/resources/zone.ts';
export { Settings, type SettingsInput } from './shop/office/scenario.ts';
export type { PageView } from './engine/rest/page.ts';
export type { Method } from './engine/rest/endpoint.ts';

type Row = (typeof typedContract)[number];

/** The public part of an endpoint row, without its handler. */
export type ContractRow = Pick<
  Row,
  | 'method'
  | 'path'
  | 'operationId'
  | 'summary'
  | 'isExtra'
  | 'step'
  | 'chosenBy'
  | 'query'
  | 'body'
  | 'status'
  | 'answer'
  | 'errors'
  | 'example'
>;

/** All endpoints: method, path, forms of query and body, status, response schema and an example. */
export const contract: readonly ContractRow[] = typedContract;
