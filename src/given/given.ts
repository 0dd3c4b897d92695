import type { BackOffice } from '../office/open-back-office.ts';
import type { ScriptRuleInput } from '../checkout/script-rules.ts';
import { pathOf, type AnswerOf, type BodyOf, type EndpointName } from '../contract.ts';
import { Problem } from '../lib/problem.ts';
import { takeOrder, type Ask, type GivenOrder } from './order.ts';
import type { FaultRuleInput } from '../faults/fault-rules.ts';

export type { GivenOrder } from './order.ts';

type Wished<Name extends EndpointName> = Partial<NonNullable<BodyOf<Name>>>;

/** A product, and how much of it lies at the first stock location; it is not tracked if that is not given. */
export interface GivenProduct extends Wished<'POST /api/products/'> {
  readonly stock?: number;
}

/**
 * Sets the stage: `given.anOrder({ at: 'payment' })`. Everything is made the way the interface makes it, so nothing is
 * in a state that it cannot reach; what is not said has a sensible value. Nothing of it is in the journal, and faults
 * don't touch it.
 *
 * All throw Error that says what was refused, and why; then nothing of it was made.
 */
export interface Given {
  aUser(wish?: Wished<'POST /api/users/'>): AnswerOf<'POST /api/users/'>;
  aProduct(wish?: GivenProduct): AnswerOf<'POST /api/products/'>;
  aStockLocation(
    wish?: Wished<'POST /api/stock-locations/'>,
  ): AnswerOf<'POST /api/stock-locations/'>;
  aChannel(wish?: Wished<'POST /api/channels/'>): AnswerOf<'POST /api/channels/'>;
  /** A coupon of a promotion: of the first one that asks for coupons, if none is given. */
  aCoupon(
    wish?: Wished<'POST /api/promotions/:promotion_id/coupons/'> & { readonly promotion?: number },
  ): AnswerOf<'POST /api/promotions/:promotion_id/coupons/'>;
  /** An order that has come as far as `at` says: `cart`, if it says nothing. */
  anOrder(wish?: GivenOrder): AnswerOf<'GET /api/orders/:order_id/'>;
  /** What the shop does at a step: `given.theScript({ on: 'purchase', outcome: 'declined' })`. */
  theScript(...rules: ScriptRuleInput[]): void;
  /** What goes wrong: `given.aFault({ match: { path: '/api/orders/*' }, status: 503 })`. */
  aFault(...rules: FaultRuleInput[]): void;
  /** The time: a moment, or how much later it is than it was, `P1D`. */
  theTime(momentOrDuration: string): void;
}

/** Doors to arrange what a test starts from. */
export function givenFor(backOffice: BackOffice): Given {
  let made = 0;
  const next = (): number => (made += 1);
  const ask = askerOf(backOffice);
  const { transaction } = backOffice.shop;
  return {
    aUser: (wish) =>
      ask(
        'POST /api/users/',
        {},
        {
          firstName: 'Ada',
          lastName: 'Novak',
          email: `ada.novak.${next()}@example.com`,
          plainPassword: 'correct horse',
          ...wish,
        },
      ),
    aProduct: ({ stock, ...wish } = {}) =>
      transaction.run(() => {
        const named = { name: `Product ${next()}`, description: 'Made for a test', price: 1000 };
        const product = ask('POST /api/products/', {}, { ...named, ...wish });
        if (stock !== undefined) putStock(backOffice, product.masterVariant.id, stock);
        return product;
      }),
    aStockLocation: (wish) =>
      ask('POST /api/stock-locations/', {}, { ...codeAndName('location', next()), ...wish }),
    aChannel: (wish) => {
      const currencies = backOffice.db.currencies.page(0, 1).map(({ id }) => id);
      const usual = { ...codeAndName('channel', next()), color: 'blue', currencies };
      return ask('POST /api/channels/', {}, { ...usual, ...wish });
    },
    aCoupon: ({ promotion = promotionOf(backOffice), ...wish } = {}) =>
      ask(
        'POST /api/promotions/:promotion_id/coupons/',
        { promotion_id: promotion },
        {
          code: `COUPON-${next()}`,
          usageLimit: 1,
          ...wish,
        },
      ),
    anOrder: (wish = {}) => transaction.run(() => takeOrder(backOffice, ask, wish)),
    ...circumstances(backOffice),
  };
}

/** What is given beside records: how the shop, the network and the clock behave. */
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

function askerOf(backOffice: BackOffice): Ask {
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
