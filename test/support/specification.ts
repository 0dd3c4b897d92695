/**
 * The specification, written down a second time by hand: the endpoints, and the fields
 * of each record in each response, in the order of the tables. The format is that of `outline`.
 */

/** Method, path and success status, as the tables of the part "Endpoints" have them. */
export const specifiedEndpoints: readonly (readonly [
  method: string,
  path: string,
  status: number,
])[] = [
  ['GET', '/api/promotions', 200],
  ['GET', '/api/promotions/:id', 200],
  ['DELETE', '/api/promotions/:id', 204],
  ['GET', '/api/promotions/:id/coupons', 200],
  ['POST', '/api/promotion/:id/coupons', 201],
  ['GET', '/api/payments', 200],
  ['GET', '/api/payments/:id', 200],
  ['DELETE', '/api/payments/:id', 204],
  ['GET', '/api/shipments', 200],
  ['GET', '/api/shipments/:id', 200],
  ['GET', '/api/users', 200],
  ['GET', '/api/users/:id', 200],
  ['POST', '/api/users', 201],
  ['PUT', '/api/users/:id', 204],
  ['PATCH', '/api/users/:id', 204],
  ['DELETE', '/api/users/:id', 204],
  ['POST', '/api/password-resetting-requests', 200],
  ['GET', '/api/orders', 200],
  ['GET', '/api/orders/:id', 200],
  ['POST', '/api/orders', 201],
  ['DELETE', '/api/orders/:id', 204],
  ['POST', '/api/orders/:id/items', 201],
  ['GET', '/api/stock-locations', 200],
  ['GET', '/api/stock-locations/:id', 200],
  ['POST', '/api/stock-locations', 201],
  ['PUT', '/api/stock-locations/:id', 204],
  ['PATCH', '/api/stock-locations/:id', 204],
  ['DELETE', '/api/stock-locations/:id', 204],
  ['GET', '/api/channels', 200],
  ['GET', '/api/channels/:id', 200],
  ['POST', '/api/channels', 201],
  ['PUT', '/api/channels/:id', 204],
  ['PATCH', '/api/channels/:id', 204],
  ['DELETE', '/api/channels/:id', 204],
  ['GET', '/api/products', 200],
  ['GET', '/api/products/:id', 200],
  ['POST', '/api/products', 201],
  ['PUT', '/api/products/:id', 204],
  ['PATCH', '/api/products/:id', 204],
  ['GET', '/api/checkouts/:id', 200],
  ['PUT', '/api/checkouts/:id', 200],
];

/** The additional endpoints of the original system. */
export const endpointsBeside: typeof specifiedEndpoints = [
  ['POST', '/api/promotions/:id/coupons', 201],
  ['DELETE', '/api/shipments/:id', 204],
  ['GET', '/api/orders/:id/items', 200],
  ['DELETE', '/api/orders/:id/items/:id', 204],
  ['DELETE', '/api/products/:id', 204],
];

/** Read-only extras, so that every link of a response can be read. */
export const readOnlyExtras: typeof specifiedEndpoints = [
  ['GET', '/api/users/:id/orders', 200],
  ['GET', '/api/promotions/:id/coupons/:id', 200],
  ['GET', '/api/products/:id/variants/:id', 200],
  ['GET', '/api/countries', 200],
  ['GET', '/api/countries/:id', 200],
  ['GET', '/api/countries/:id/provinces', 200],
  ['GET', '/api/countries/:id/provinces/:id', 200],
  ['GET', '/api/zones', 200],
  ['GET', '/api/zones/:id', 200],
  ['GET', '/api/shipping-methods', 200],
  ['GET', '/api/shipping-methods/:id', 200],
  ['GET', '/api/payment-methods', 200],
  ['GET', '/api/payment-methods/:id', 200],
];

const stamps = 'created_at updated_at';
const self = '_links:{self:{href}}';

/** Returns the outline of a page of items. */
export function collection(item: string, { next = false } = {}): string {
  const links = `self:{href} first:{href} last:{href}${next ? ' next:{href}' : ''}`;
  return `{page limit pages total _links:{${links}} _embedded:{items:[${item}]}}`;
}

/** @param place outline of its links */
export function addressIn(place: string): string {
  return `{id first_name last_name city postcode street ${stamps} _links:{${place}}}`;
}

export const address = addressIn('country:{href}');
export const addressWithProvince = addressIn('country:{href} province:{href}');

export const province = `{id name _links:{self:{href} country:{href}}}`;
export const country = `{id name iso_name provinces:[] ${self}}`;
export const countryWithProvinces = `{id name iso_name provinces:[${province}] ${self}}`;
export const zone = `{id name type members:[] ${self}}`;

/** @param parts outlines of the configurations of its action and its rule */
export function promotion({ action, rule }: { action: string; rule: string }): string {
  return `{id name priority exclusive coupon_based used ${stamps} actions:[{id type configuration:{${action}}}] rules:[{id type configuration:{${rule}}}] _links:{self:{href} coupons:{href}}}`;
}

export const coupon = '{id code usage_limit used _links:{promotion:{href} self:{href}}}';

export const paymentMethod = `{id name ${stamps} ${self}}`;

export const payment = `{id amount currency state method:${paymentMethod} ${stamps} _links:{order:{href} payment-method:{href} self:{href}}}`;

/** @param configuration outline of the configuration of its calculator */
export function shippingMethod(configuration: string): string {
  return `{id name enabled calculator category_requirement configuration:{${configuration}} ${stamps} _links:{self:{href} zone:{href}}}`;
}

export const flatRate = shippingMethod('amount');
export const flexibleRate = shippingMethod(
  'first_item_cost additional_item_cost additional_item_limit',
);

/** @param method the outline of its method */
export function shipment(method: string): string {
  return `{id state method:${method} ${stamps} _links:{method:{href} order:{href} self:{href}}}`;
}

const account =
  'id username username_canonical email email_canonical enabled locked expired credentials_expired groups:[] roles:[]';
export const user = `{${account} password salt}`;
export const userInOrder = `{${account}}`;
export const userAfterReset = `{${account} last_login confirmation_token password_requested_at}`;

const adjustment = `{id label description amount neutral locked ${stamps}}`;
const inventoryUnit = `{id inventory_state ${stamps} _links:{order:{href}}}`;

/** @param sku whether it has one */
export function masterVariant({ sku = true } = {}): string {
  return `{id master options:[] available_on${sku ? ' sku' : ''} ${stamps}}`;
}

/** @param optional which of its optional fields are there */
export function product({ short = true, sku = true } = {}): string {
  return `{id name description${short ? ' short_description' : ''} masterVariant:${masterVariant({ sku })} ${stamps}}`;
}

const productInOrder = `{id name description short_description masterVariant:${masterVariant()} attributes:[{id name presentation value}] options:[{id name presentation}] ${stamps}}`;
export const variant = `{id master sku available_on options:[] object:${productInOrder} ${stamps}}`;

/** @param units whether it shows its inventory units */
export function orderItem({ units = true } = {}): string {
  return `{id quantity unit_price total adjustments:[] adjustments_total immutable variant:${variant} inventory_units:[${units ? inventoryUnit : ''}] _links:{product:{href} variant:{href}}}`;
}

const channelInOrder = 'id code name type color enabled created_at updated_at';

export const channel = `{id code name type color enabled currencies:[{id code}] locales:[{id code}] payment_methods:[${paymentMethod}] shipping_methods:[${flexibleRate} | ${flatRate}] ${stamps}}`;
export const channelWithoutLists = `{id code name type color enabled currencies:[] locales:[] payment_methods:[] shipping_methods:[] ${stamps}}`;

/** The state of an order, and the response that contains it. */
export interface OrderShown {
  readonly until: 'cart' | 'addressing' | 'shipping' | 'payment' | 'confirm';
  readonly list?: boolean;
  readonly checkout?: boolean;
  readonly empty?: boolean;
}

export function order({
  until,
  list = false,
  checkout = false,
  empty = false,
}: OrderShown): string {
  const steps = ['cart', 'addressing', 'shipping', 'payment', 'confirm'];
  const past = (step: string) => steps.indexOf(until) >= steps.indexOf(step);
  return [
    '{id',
    ...(past('confirm') ? ['number completed_at'] : []),
    `items:[${empty ? '' : orderItem({ units: !list })}] items_total`,
    `adjustments:[${past('shipping') && !list ? adjustment : ''}] adjustments_total`,
    'comments:[] total confirmed state checkout_state email expires_at',
    `user:${userInOrder}`,
    `channel:{${channelInOrder}${checkout ? ` ${self}` : ''}}`,
    ...(past('addressing') ? [`shipping_address:${address} billing_address:${address}`] : []),
    `payments:[${past('payment') ? payment : ''}]`,
    `shipments:[${past('shipping') ? shipment(flexibleRate) : ''}]`,
    `currency ${stamps}}`,
  ].join(' ');
}

export const stockLocation = `{id code name enabled address:${address} ${stamps} ${self}}`;
export const stockLocationWithoutAddress = `{id code name enabled ${stamps} ${self}}`;

export const shippingProposal = `[{methods:[${flexibleRate} | ${flatRate}] shipment:{state created_at _links:{order:{href}}}}]`;
export const paymentProposal = `{methods:{1:${paymentMethod} 2:${paymentMethod}} payment:{amount currency state created_at _links:{order:{href}}}}`;
