import type { BackOffice } from '../office/open-back-office.ts';
import type { ScriptRuleInput } from '../checkout/script-rules.ts';
import { pathOf, type AnswerOf, type BodyOf, type EndpointName } from '../contract.ts';
import { Problem } from '../lib/problem.ts';
import { createOrderAt, type SendRequest, type GivenOrder } from './order.ts';
import type { FaultRuleInput } from '../faults/fault-rules.ts';

export type { GivenOrder } from './order.ts';

type Wished<Name extends EndpointName> = Partial<NonNullable<BodyOf<Name>>>;

/** A product, and its stock at the first enabled stock location. Without `stock`, stock is not tracked. */
export interface GivenProduct extends Wished<'POST /api/products/'> {
  readonly stock?: number;
}

/**
 * Sets up a test: `given.anOrder({ at: 'payment' })`. Records are created through the store API, so they are only in
 * states that it can reach. Missing values have defaults. The requests are not in the journal, and faults do not apply.
 *
 * All functions throw Error with the rejected request and the reason; then nothing was created.
 */
export interface Given {
  aUser(wanted?: Wished<'POST /api/users/'>): AnswerOf<'POST /api/users/'>;
  aProduct(wanted?: GivenProduct): AnswerOf<'POST /api/products/'>;
  aStockLocation(
    wanted?: Wished<'POST /api/stock-locations/'>,
  ): AnswerOf<'POST /api/stock-locations/'>;
  aChannel(wanted?: Wished<'POST /api/channels/'>): AnswerOf<'POST /api/channels/'>;
  /** A coupon of a promotion (default: the first one that requires coupons). */
  aCoupon(
    wanted?: Wished<'POST /api/promotions/:promotion_id/coupons/'> & {
      readonly promotion?: number;
    },
  ): AnswerOf<'POST /api/promotions/:promotion_id/coupons/'>;
  /** An order with the `checkout_state` `at` (default: `cart`). */
  anOrder(wanted?: GivenOrder): AnswerOf<'GET /api/orders/:order_id/'>;
  /** Adds rules to the script: `given.theScript({ on: 'purchase', outcome: 'declined' })`. */
  theScript(...rules: ScriptRuleInput[]): void;
  /** Adds faults: `given.aFault({ match: { path: '/api/orders/*' }, status: 503 })`. */
  aFault(...rules: FaultRuleInput[]): void;
  /** Sets the clock to a date-time, or advances it by a duration: `P1D`. */
  theTime(momentOrDuration: string): void;
}

/** Returns the functions that set up a test for a back office. */
export function givenFor(backOffice: BackOffice): Given {
  let made = 0;
  const next = (): number => (made += 1);
  const send = senderOf(backOffice);
  const { transaction } = backOffice.shop;
  return {
    aUser: (wanted) =>
      send(
        'POST /api/users/',
        {},
        {
          firstName: 'Ada',
          lastName: 'Novak',
          email: `ada.novak.${next()}@example.com`,
          plainPassword: 'correct horse',
          ...wanted,
        },
      ),
    aProduct: ({ stock, ...wanted } = {}) =>
      transaction.run(() => {
        const named = { name: `Product ${next()}`, description: 'Made for a test', price: 1000 };
        const product = send('POST /api/products/', {}, { ...named, ...wanted });
        if (stock !== undefined) putStock(backOffice, product.masterVariant.id, stock);
        return product;
      }),
    aStockLocation: (wanted) =>
      send('POST /api/stock-locations/', {}, { ...codeAndName('location', next()), ...wanted }),
    aChannel: (wanted) => {
      const currencies = backOffice.db.currencies.page(0, 1).map(({ id }) => id);
      const usual = { ...codeAndName('channel', next()), color: 'blue', currencies };
      return send('POST /api/channels/', {}, { ...usual, ...wanted });
    },
    aCoupon: ({ promotion = promotionOf(backOffice), ...wanted } = {}) =>
      send(
        'POST /api/promotions/:promotion_id/coupons/',
        { promotion_id: promotion },
        {
          code: `COUPON-${next()}`,
          usageLimit: 1,
          ...wanted,
        },
      ),
    anOrder: (wanted = {}) => transaction.run(() => createOrderAt(backOffice, send, wanted)),
    ...circumstances(backOffice),
  };
}

/** The script, faults and clock. */
function circumstances({
  script,
  faults,
  clock,
  shop: { transaction },
}: BackOffice): Pick<Given, 'theScript' | 'aFault' | 'theTime'> {
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

function senderOf(backOffice: BackOffice): SendRequest {
  return (name, path, body) => {
    const [method = 'GET'] = name.split(' ');
    const answer = backOffice.requestUnobserved({
      method,
      url: pathOf(name, path),
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status < 300) return JSON.parse(answer.body ?? 'null') as AnswerOf<typeof name>;
    throw new Error(`Failed to arrange: ${name} answers ${answer.status}: ${answer.body ?? ''}`);
  };
}

function codeAndName(what: string, number: number) {
  return { code: `${what}-${number}`, name: `A ${what} of a test, ${number}` };
}

function putStock({ db, checkout }: BackOffice, variant_id: number, on_hand: number): void {
  const location = db.stockLocations.page(0, 100).find(({ enabled }) => enabled);
  if (location === undefined) throw new Error('Failed to arrange: no stock location is enabled');
  checkout.setStock({ stock_location_id: location.id, variant_id, on_hand });
}

function promotionOf({ db }: BackOffice): number {
  const promotion = db.promotions.page(0, db.promotions.count()).find((one) => one.coupon_based);
  if (promotion === undefined)
    throw new Problem('missing', 'No promotion of this shop has coupons');
  return promotion.id;
}
