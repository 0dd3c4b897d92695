import type { ScriptRuleInput } from '../checkout/script-rules.ts';
import type { AnswerOf, BodyOf, EndpointName } from '../../contract.ts';
import { pathOf } from '../../client.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { createOrderAt, type GivenOrder, type SendRequest } from './order.ts';
import { tablesOf } from './tables.ts';
import type { StoreOffice } from '../office/store-office.ts';
import { extensionRecords } from './extension-records.ts';
import { sendUnobserved } from './send.ts';
import type { FaultRuleInput } from '../office/scenario.ts';

export type { GivenOrder } from './order.ts';

type BodyFields<Name extends EndpointName> = Partial<NonNullable<BodyOf<Name>>>;

/** A product, and its stock at the first enabled stock location (default: stock is not tracked). */
export interface GivenProduct extends BodyFields<'POST /api/products/'> {
  /** Pieces of the master variant on hand. */
  readonly stock?: number;
}

/**
 * Sets up a test: `given.anOrder({ awaits: 'payment' })`. Records are created through the store API, so they are only in
 * states that it can reach. Missing values have defaults. The requests are not in the journal, and faults do not apply.
 *
 * All functions throw an Error with the rejected request and the reason. They are atomic.
 */
export interface Given {
  /** A user: `given.aUser({ email: 'ada@shop.test' })`. */
  aUser(values?: BodyFields<'POST /api/users/'>): AnswerOf<'POST /api/users/'>;
  /** A product with its master variant: `given.aProduct({ price: 2500, stock: 3 })`, in minor units. */
  aProduct(values?: GivenProduct): AnswerOf<'POST /api/products/'>;
  /** A stock location. */
  aStockLocation(
    values?: BodyFields<'POST /api/stock-locations/'>,
  ): AnswerOf<'POST /api/stock-locations/'>;
  /** A channel (default: with the first currency). */
  aChannel(values?: BodyFields<'POST /api/channels/'>): AnswerOf<'POST /api/channels/'>;
  /** A coupon of a promotion (default: the first one that requires coupons). */
  aCoupon(
    values?: BodyFields<'POST /api/promotions/:promotion_id/coupons/'> & {
      readonly promotion?: number;
    },
  ): AnswerOf<'POST /api/promotions/:promotion_id/coupons/'>;
  /** An order that awaits a step of the checkout (default: `addressing`), or is paid: `{ at: 'completed' }`. */
  anOrder(values?: GivenOrder): AnswerOf<'GET /api/orders/:order_id/'>;
  /** Adds rules to the script: `given.theScript({ on: 'purchase', outcome: 'declined' })`. */
  theScript(...rules: ScriptRuleInput[]): void;
  /** Adds faults: `given.aFault({ match: { path: '/api/orders/*' }, status: 503 })`. */
  aFault(...rules: FaultRuleInput[]): void;
  /** Sets the clock to a date-time, or advances it by a duration: `P1D`. */
  theTime(dateTimeOrDuration: string): void;
}

/** Returns the functions that set up a test for a back office: `const given = givenFor(await startWorker())`. */
export function givenFor(office: Omit<StoreOffice, 'db'>): Given {
  // An extension has the tables of the store, some with more fields.
  const { store, extensions } = setUpsFor(office as StoreOffice);
  return { ...store, ...extensions };
}

/** Returns the functions of `given`, and those for the resources of an extension. The store API checks their values. */
export function setUpsFor(office: StoreOffice) {
  let count = 0;
  const next = (): number => (count += 1);
  const send: SendRequest = (name, path, body, own) =>
    // The schema of the response is that of the same row.
    sendUnobserved(office, name, pathOf(name, path), body, own) as AnswerOf<typeof name>;
  const { transaction } = office.shop;
  const store = {
    aUser(values?: object) {
      const named = { firstName: 'Ada', lastName: 'Novak', plainPassword: 'correct horse' };
      const email = `ada.novak.${next()}@example.com`;
      return send('POST /api/users/', {}, { ...named, email, ...values });
    },
    aProduct: ({ stock, ...values }: Pick<GivenProduct, 'stock'> = {}) =>
      transaction.run(() => {
        const named = { name: `Product ${next()}`, description: 'Made for a test', price: 1000 };
        const product = send('POST /api/products/', {}, { ...named, ...values }, ['stock']);
        if (stock !== undefined) putStock(office, product.masterVariant.id, stock);
        return product;
      }),
    aStockLocation: (values?: object) =>
      send('POST /api/stock-locations/', {}, { ...codeAndName('location', next()), ...values }),
    aChannel(values?: object) {
      const currencies = tablesOf(office)
        .currencies.page(0, 1)
        .map(({ id }) => id);
      const usual = { ...codeAndName('channel', next()), color: 'blue', currencies };
      return send('POST /api/channels/', {}, { ...usual, ...values });
    },
    aCoupon({ promotion = promotionOf(office), ...values }: { readonly promotion?: number } = {}) {
      const usual = { code: `COUPON-${next()}`, usageLimit: 1 };
      const path = { promotion_id: promotion };
      const body = { ...usual, ...values };
      return send('POST /api/promotions/:promotion_id/coupons/', path, body, ['promotion']);
    },
    anOrder: (values: GivenOrder = {}) =>
      transaction.run(() => createOrderAt(office, send, values)),
    ...conditions(office),
  };
  return { store, extensions: extensionRecords(office, referencesBy(store)) };
}

/** The script, faults and clock. */
function conditions({
  script,
  faults,
  clock,
  shop: { transaction },
}: StoreOffice): Pick<Given, 'theScript' | 'aFault' | 'theTime'> {
  return {
    theScript(...rules) {
      transaction.run(() => {
        for (const rule of rules) script.add(rule);
      });
    },
    aFault(...rules) {
      transaction.run(() => {
        for (const rule of rules) faults.add(rule);
      });
    },
    theTime(text) {
      if (/^-?P/.test(text)) clock.advance(text);
      else clock.set(text);
    },
  };
}

/** Returns the function that creates records to which resources of an extension refer. */
function referencesBy(
  given: Pick<Given, 'aUser' | 'aProduct' | 'aStockLocation' | 'aChannel' | 'aCoupon' | 'anOrder'>,
): (key: string) => number {
  const creators: Readonly<Record<string, () => { readonly id: number }>> = {
    users: () => given.aUser(),
    products: () => given.aProduct(),
    variants: () => given.aProduct().masterVariant,
    stockLocations: () => given.aStockLocation(),
    channels: () => given.aChannel(),
    coupons: () => given.aCoupon(),
    orders: () => given.anOrder(),
  };
  return (key) => {
    const create = creators[key];
    if (create !== undefined) return create().id;
    throw new Problem(
      'refused',
      `Failed to set up: the shop has no ${key}, which a field refers to`,
    );
  };
}

function codeAndName(kind: string, number: number) {
  return { code: `${kind}-${number}`, name: `A ${kind} of a test, ${number}` };
}

function putStock(office: StoreOffice, variant_id: number, on_hand: number): void {
  const location = tablesOf(office)
    .stockLocations.page(0, 100)
    .find(({ enabled }) => enabled);
  if (location === undefined)
    throw new Problem('refused', 'Failed to set up stock: no stock location is enabled');
  office.checkout.setStock({ stock_location_id: location.id, variant_id, on_hand });
}

function promotionOf(office: StoreOffice): number {
  const { promotions } = tablesOf(office);
  const promotion = promotions.page(0, promotions.count()).find(({ coupon_based }) => coupon_based);
  if (promotion === undefined)
    throw new Problem('missing', 'Failed to set up a coupon: no promotion requires coupons');
  return promotion.id;
}
