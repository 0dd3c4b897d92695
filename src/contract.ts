import { typedContract } from './resources/index.ts';

export { pathOf } from './client.ts';
export type { AnswerOf, BodyOf, EndpointName, ErrorBody, PathOf, QueryOf } from './client.ts';
export { AddressView } from './resources/address.ts';
export { ChannelView } from './resources/channel.ts';
export { PaymentProposalView, ShippingProposalView } from './resources/checkout-proposal.ts';
export { CountryView } from './resources/country.ts';
export { CouponView } from './resources/coupon.ts';
export { OrderInCheckoutView, OrderView } from './resources/order.ts';
export { AdjustmentView, OrderItemView } from './resources/order-item.ts';
export { PaymentView } from './resources/payment.ts';
export { PaymentMethodView } from './resources/payment.ts';
export { ProductView } from './resources/product.ts';
export { VariantInOrderView } from './resources/product-variant.ts';
export { PromotionView } from './resources/promotion.ts';
export { ProvinceView } from './resources/country.ts';
export { ShipmentView } from './resources/shipment.ts';
export { ShippingMethodView } from './resources/shipment.ts';
export { StockLocationView } from './resources/stock-location.ts';
export { UserView } from './resources/user.ts';
export { ZoneView } from './resources/zone.ts';
export { Settings, type SettingsInput } from './shop/scenario.ts';
export type { PageView } from './rest/page.ts';
export type { Method } from './rest/endpoint.ts';

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
