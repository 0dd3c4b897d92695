import { fillPath } from './lib/names.ts';
import type { ErrorTree } from './rest/errors.ts';
import type { Method } from './rest/endpoint.ts';
import { typedContract } from './resources/index.ts';

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
export { Settings, type SettingsInput } from './scenario/scenario.ts';
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

type NameOf<One> = One extends {
  method: infer Verb extends Method;
  path: infer Path extends string;
}
  ? `${Verb} ${Path}`
  : never;

/** The name of an endpoint: `'GET /api/users/:user_id'`. */
export type EndpointName = NameOf<Row>;

type RowNamed<Name extends EndpointName> = Row extends infer One
  ? One extends Row
    ? Name extends NameOf<One>
      ? One
      : never
    : never
  : never;

type FormOf<Form> = Form extends { parse(...sent: never): { readonly values: infer Values } }
  ? Values
  : undefined;

/** The parameters of a path: `{ user_id: 7 }`. */
export type PathOf<Name extends EndpointName> =
  RowNamed<Name> extends { path: infer Path extends string }
    ? Readonly<Record<ParameterIn<Path>, string | number>>
    : never;

type ParameterIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The nested parameters of the query; undefined if there are none. */
export type QueryOf<Name extends EndpointName> =
  RowNamed<Name> extends infer One
    ? One extends { query?: infer Form }
      ? Known<FormOf<NonNullable<Form>>>
      : never
    : never;

/** The parameters of the body: a union, if an endpoint has several steps. */
export type BodyOf<Name extends EndpointName> =
  RowNamed<Name> extends infer One
    ? One extends { body?: infer Form }
      ? Known<FormOf<NonNullable<Form>>>
      : never
    : never;

/** The body of a successful response; undefined if there is none. */
export type AnswerOf<Name extends EndpointName> =
  RowNamed<Name> extends infer One
    ? One extends { answer: { _zod: { output: infer Answer } } | undefined }
      ? Known<Answer>
      : undefined
    : never;

type Known<Value> = unknown extends Value ? undefined : Value;

/** The body of an error response. */
export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  /** The issues of each parameter. */
  readonly errors?: ErrorTree;
}

/** Returns the path of an endpoint with its parameters filled in: `pathOf('GET /api/users/:user_id', { user_id: 7 })`. */
export function pathOf<Name extends EndpointName>(name: Name, parameters: PathOf<Name>): string {
  const [, path = ''] = name.split(' ');
  return fillPath(path, parameters);
}
