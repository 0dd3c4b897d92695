import type { MountOptions, ScenarioInput } from '../../src/index.ts';
import { address } from './checkout-steps.ts';
import { openOffice, type Office } from './office.ts';
import { smallShopRecords } from './small-shop-records.ts';

/** The ids of the orders of the small shop, by checkout state. */
export const at = {
  cart: 1,
  addressing: 2,
  shipping: 3,
  payment: 4,
  confirmed: 5,
  paid: 6,
  empty: 7,
} as const;

/**
 * A shop with one or two records of each kind, so that a reader can predict responses. It has an order at every
 * step of the checkout: see `at`.
 */
export const smallShop: ScenarioInput = {
  name: 'small shop',
  description: 'A shop for tests',
  seed: 7,
  now: '2026-03-02T09:00:00+0000',
  data: smallShopRecords,
  orders: [
    recipe('-PT80M', 'cart'),
    recipe('-PT70M', 'addressing', ['Dana', 'Quill']),
    recipe('-PT60M', 'shipping', ['Enzo', 'Rossi']),
    recipe('-PT50M', 'payment', ['Fay', 'Quiller']),
    recipe('-PT40M', 'confirm', ['Gus', 'Stone']),
    { ...recipe('-PT30M', 'purchase', ['Hal', 'Tower']), channel: 2, user: 2, currency: 'USD' },
    { ...recipe('-PT20M', 'cart'), items: [] },
  ],
};

/** Opens the small shop for one test. */
export function openSmallShop(options: Omit<MountOptions, 'scenario'> = {}): Office {
  return openOffice({ scenario: smallShop, ...options });
}

type Recipe = NonNullable<ScenarioInput['orders']>[number];

function recipe(
  opened: string,
  until: Recipe['until'],
  [firstName, lastName]: [string, string] = ['', ''],
): Recipe {
  return {
    at: opened,
    channel: 1,
    user: 1,
    currency: 'EUR',
    items: [{ variant: 1, quantity: 2, unitPrice: 1990 }],
    ...(firstName !== '' && {
      shippingAddress: { ...address, firstName, lastName },
      billingAddress: { ...address, firstName: `${firstName}bill`, lastName },
    }),
    shippingMethod: 1,
    paymentMethod: 1,
    until,
    pace: 'PT1M',
  };
}
