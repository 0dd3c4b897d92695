import { defineAny, type NewApi } from '../engine/extend/define-api.ts';
import { extend } from '../engine/extend/extend-api.ts';
import type { ExtendedApi, Extension, IdKinds } from '../engine/extend/extension.ts';
import type { Fields } from '../engine/extend/field-set.ts';
import { madeBy } from '../engine/extend/made-part.ts';
import type {
  AuthCall,
  EndpointCall,
  RecordOf,
  ResourceOptions,
  Resources,
  Rule,
  StepCall,
  StepOptions,
  Work,
} from '../engine/extend/resource.ts';
import type { AnyDatabase, DatabaseOf } from '../engine/store/database.ts';
import type { Row } from '../engine/store/row.ts';
import type { Database } from './models/database.ts';
import type { InventoryState, InventoryUnit, Order, OrderState } from './models/order.ts';
import type { Payment, PaymentState } from './models/payment.ts';
import type { StockLocation } from './models/stock.ts';
import type { Shipment, ShipmentState } from './models/shipment.ts';
import { checkout } from './added-step.ts';
import { control } from './store-parts.ts';
import type { StoreOperations } from './office/checkout-api.ts';
import type { FaultOptions, Faults } from '../engine/extend/user-fault.ts';
import type {
  AddedFields,
  ExtendedTypes,
  NoneAdded,
  OwnRecordRoute,
  RouteOf,
  TypesOf,
} from './extended-tables.ts';
import type { EngineShop, TypedApi } from '../engine/definition/api.ts';
import { AddressView, addressView } from './resources/address.ts';
import {
  ChannelInCheckoutView,
  ChannelInOrderView,
  ChannelView,
  channelView,
} from './resources/channel.ts';
import { CountryView, countryView, ProvinceView, provinceView } from './resources/country.ts';
import { CouponView, couponView } from './resources/coupon.ts';
import { storeShop } from './resources/endpoint.ts';
import { OrderItemView, orderItemView } from './resources/order-item.ts';
import { OrderInCheckoutView, OrderView, orderView } from './resources/order.ts';
import { PasswordResettingView } from './resources/password-resetting-request.ts';
import {
  PaymentMethodView,
  paymentMethodView,
  PaymentView,
  paymentView,
} from './resources/payment.ts';
import { VariantInOrderView } from './resources/product-variant.ts';
import {
  ProductInOrderView,
  ProductView,
  productView,
  VariantView,
  variantView,
} from './resources/product.ts';
import { PromotionView, promotionView } from './resources/promotion.ts';
import {
  ShipmentView,
  shipmentView,
  ShippingMethodView,
  shippingMethodView,
} from './resources/shipment.ts';
import {
  StockLocationCreatedView,
  StockLocationView,
  stockLocationView,
} from './resources/stock-location.ts';
import { UserInOrderView, UserView, userView } from './resources/user.ts';
import { ZoneView, zoneView } from './resources/zone.ts';
import type { typedContract } from './resources/index.ts';
import type { ScriptStep } from './models/script-rule.ts';

function alone<Shown>(view: (record: Shown) => unknown) {
  return (_: EngineShop, record: Shown) => view(record);
}

function inDb<Shown>(view: (db: Database, record: Shown) => unknown) {
  return (shop: EngineShop, record: Shown) => view(storeShop(shop).db, record);
}

/** The views of the records of each table of the store. */
const storeResources: Resources = {
  addresses: { views: { Address: AddressView }, show: alone(addressView) },
  channels: {
    views: { Channel: ChannelView },
    show: inDb(channelView),
    parts: [ChannelInOrderView, ChannelInCheckoutView],
  },
  countries: { views: { Country: CountryView }, show: inDb(countryView) },
  coupons: { views: { Coupon: CouponView }, show: alone(couponView) },
  orderItems: {
    views: { OrderItem: OrderItemView },
    show: inDb(orderItemView),
    parameters: ['item_id'],
  },
  orders: {
    views: { Order: OrderView, OrderInCheckout: OrderInCheckoutView },
    show: inDb(orderView),
  },
  paymentMethods: {
    views: { PaymentMethod: PaymentMethodView },
    show: alone(paymentMethodView),
    parameters: ['paymentMethods'],
  },
  payments: { views: { Payment: PaymentView }, show: inDb(paymentView) },
  products: {
    views: { Product: ProductView },
    show: inDb(productView),
    parts: [ProductInOrderView],
  },
  promotions: { views: { Promotion: PromotionView }, show: alone(promotionView) },
  provinces: {
    views: { Province: ProvinceView },
    show: alone(provinceView),
  },
  shipments: { views: { Shipment: ShipmentView }, show: inDb(shipmentView) },
  shippingMethods: {
    views: { ShippingMethod: ShippingMethodView },
    show: alone(shippingMethodView),
    parameters: ['method', 'shippingMethods'],
  },
  stockLocations: {
    views: { StockLocation: StockLocationView, StockLocationCreated: StockLocationCreatedView },
    show: (shop, row: StockLocation) => stockLocationView(row, storeShop(shop)),
  },
  users: {
    views: { User: UserView },
    show: alone(userView),
    parts: [UserInOrderView, PasswordResettingView],
  },
  variants: {
    views: { Variant: VariantView },
    show: alone(variantView),
    parts: [VariantInOrderView],
    parameters: ['variant', 'variant_id'],
  },
  zones: { views: { Zone: ZoneView }, show: alone(zoneView) },
};

const storeParts = { resources: storeResources, checkout, addedResources: {} };

type OwnFields = Readonly<Record<string, Fields>>;

type OwnResources = Readonly<
  Record<string, { readonly fields: Fields; readonly endpoints?: object | undefined }>
>;

/**
 * The parts of a definition, whether it extends the store or not.
 *
 * @property Known the names of rules in addition to those of its own endpoints
 * @property Db the tables that its code gets, and `Operations` what it gets beside them
 */
interface AnyExtension<
  Own extends OwnResources,
  Rules,
  Kinds,
  Ids,
  Known extends PropertyKey,
  Db,
  Operations,
> extends Pick<Extension, 'path' | 'scenarios'> {
  /** Tables of its own with their endpoints, by key. Each is made by `resource`. */
  readonly resources?: Own;
  /**
   * Rules by the step, or by method and path as in the documents of the API, those of own resources included: `purchase`,
   * `POST /api/users/`, `POST /api/wishlists/:id/publish`.
   */
  readonly rules?: {
    readonly [Name in Known | RouteOf<Own>]?: Rule<
      RuleCall<Name, BodyAt<Rules, Name>, Db, Own, Operations>
    >;
  } & {
    readonly [Name in keyof Rules]: Name extends Known | RouteOf<Own>
      ? { readonly body?: Rules[Name] & Fields }
      : 'must be a step, or the method and the path of an endpoint';
  };
  /** Kinds of fault, by the field of a rule: `maintenance`. Each is made by `fault`. */
  readonly faults?: Kinds & Faults;
  /**
   * The tables whose records clients know by UUIDs in the place of integers: `{ orders: 'uuid' }`. They follow from the seed.
   * The code of a definition, `office.db` and scenarios have integers.
   */
  readonly ids?: { readonly [Key in keyof Ids]: 'uuid' };
  /**
   * Whether a request may be answered, in the place of the API's tokens: `({ request, db }) => …`. It reads, and writes
   * nothing. If not, the answer is 401; a Problem that it throws is answered instead.
   */
  readonly auth?: ((call: AuthCall<Db>) => boolean) | undefined;
}

/** The additions of an extension to the API of the store. */
export interface StoreExtension<
  Added extends AddedFields,
  Own extends OwnResources,
  Rules,
  Steps = OwnFields,
  Kinds = Faults,
  Ids = IdKinds,
  Before = unknown,
> extends AnyExtension<
  Own,
  Rules,
  Kinds,
  Ids,
  StoreRuleName | keyof TypesOf<Before>['rules'] | keyof NoInfer<Steps>,
  DatabaseWith<Added, Own>,
  StoreOperations
> {
  /** Fields of tables of the store, by the key of the table: `users`, `stockLocations`. */
  readonly fields?: Added;
  /**
   * Steps of the checkout, by name: `gift_wrapping`, which is also the `checkout_state` that a step leads to. Each is made by
   * `step`.
   */
  readonly steps?: {
    readonly [Name in keyof Steps]: StoreStep<Steps[Name]>;
  };
  /**
   * Handlers for records that come to a state: `order.confirmed`, `shipment.shipped`. It runs in the request, or in the
   * move of the clock, that leads there, and not for the orders of a scenario.
   */
  readonly on?: {
    readonly [Event in keyof StateRecords]?: (
      call: Work<DatabaseWith<Added, Own>, StoreOperations> & StateRecords[Event],
    ) => void;
  };
}

/** The records that come to states, by machine and state. */
type StateRecords = {
  readonly [State in OrderState as `order.${State}`]: { readonly order: Order };
} & {
  readonly [State in PaymentState as `payment.${State}`]: { readonly payment: Payment };
} & {
  readonly [State in ShipmentState as `shipment.${State}`]: { readonly shipment: Shipment };
} & {
  readonly [State in InventoryState as `inventory_unit.${State}`]: {
    readonly inventoryUnit: InventoryUnit;
  };
};

/** The tables of the store, with what an extension adds. */
type DatabaseWith<Added extends AddedFields, Own extends OwnResources> = Omit<
  Database,
  keyof Added | keyof Own
> &
  DatabaseOf<ExtendedTypes<TypesOf<unknown>, Added, Own>['tables']>;

/** The steps and the endpoints of the store, by which rules are named. */
type StoreRuleName =
  | ScriptStep
  | ((typeof typedContract)[number] extends infer Endpoint
      ? Endpoint extends { method: infer Verb extends string; path: infer Path extends string }
        ? `${Verb} ${Path}`
        : never
      : never);

/** The parameters that a rule adds: none if it names none. */
type BodyAt<Rules, Name> = Name extends keyof Rules
  ? unknown extends Rules[Name]
    ? NoFields
    : Rules[Name]
  : NoFields;

type NoFields = { readonly [Name in never]: Fields[string] };

/** The request that a rule checks: `record` is that of an endpoint, `order` that of a step. */
type RuleCall<Name, Body, Db, Own, Operations> = Name extends `${string} /${string}`
  ? EndpointCall<RuleRecord<Name, Own> | undefined, Body, Db, Operations>
  : Name extends 'create'
    ? Omit<EndpointCall<never, Body, Db, Operations>, 'record'>
    : StepCall<Order, Body, Db, Operations>;

/** The record that the path of an endpoint names. */
type RuleRecord<Name, Own> = [OwnRecord<Name, Own>] extends [never] ? Row : OwnRecord<Name, Own>;

type OwnRecord<Name, Own> = {
  [Key in keyof Own]: Name extends OwnRecordRoute<Key>
    ? Own[Key] extends { readonly fields: infer All extends Fields }
      ? RecordOf<All>
      : never
    : never;
}[keyof Own];

/** The tables of the store, and those of extensions. */
type StoreDatabase = Database & AnyDatabase;

/** A step, whose code gets an order. */
type StoreStep<Body> = StepOptions<StepCall<Order, Body, StoreDatabase, StoreOperations>, Body>;

/** Returns the step, with the types of its parameters inferred. */
export function step<const Body extends Fields>(options: StoreStep<Body>): StoreStep<Body> {
  return madeBy('step', options);
}

/** Returns the kind of fault, with the type of its value inferred. */
export function fault<Value>(options: FaultOptions<Value>): FaultOptions<Value> {
  return madeBy('fault', options);
}

/** Returns the resource, with the types of its fields and of the bodies of its endpoints inferred. */
export function resource<
  const All extends Fields,
  const Singular extends string,
  const Bodies = OwnFields,
>(
  options: ResourceOptions<All, Bodies, StoreDatabase, StoreOperations> & {
    readonly singular: Singular;
  },
): ResourceOptions<All, Bodies, StoreDatabase, StoreOperations> & { readonly singular: Singular } {
  return madeBy('resource', options);
}

/**
 * Adds fields, resources, steps and rules to an API: that of the store, or an extension of it. The API itself stays as it is.
 *
 * @throws Problem `invalid` with every issue of the extension: its place and what would be right
 */
export function extendApi<
  const Added extends AddedFields<Before> = NoneAdded,
  const Own extends OwnResources = NoneAdded,
  const Rules = NoneAdded,
  const Steps = NoneAdded,
  const Kinds = NoneAdded,
  Before = unknown,
  const Ids = NoneAdded,
>(
  api: TypedApi<Before>,
  extension: StoreExtension<Added, Own, Rules, Steps, Kinds, Ids, Before>,
): ExtendedApi<ExtendedTypes<TypesOf<Before>, Added, Own, keyof Steps, Kinds, Ids>> {
  const extended: Omit<ExtendedApi, 'types'> = extend(api, extension, storeParts);
  return extended;
}

/**
 * Creates an API from nothing: it has what its definition says, and no part of the store.
 *
 * @experimental its words may change in a minor version
 * @throws Problem `invalid` with every issue of the definition
 */
export function defineApi<
  const Own extends OwnResources,
  const Rules = NoneAdded,
  const Kinds = NoneAdded,
  const Ids = NoneAdded,
>(
  definition: AnyExtension<
    Own,
    Rules,
    Kinds,
    Ids,
    never,
    DatabaseOf<ExtendedTypes<TypesOf<unknown>, NoneAdded, Own>['tables']>,
    unknown
  > &
    NewApi,
): ExtendedApi<ExtendedTypes<TypesOf<unknown>, NoneAdded, Own, never, Kinds, Ids>> {
  const defined: Omit<ExtendedApi, 'types'> = defineAny(definition, control);
  return defined;
}
