import type { ApiPages } from '../api-pages.ts';
import { capitalize } from '../../engine/lib/words.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { formatValue } from '../format.ts';
import { lazyView } from '../lazy-view.tsx';
import { filterWords } from '../../shop/filter-words.ts';
import { paymentEffect } from './payment-effect.ts';
import { data, latest, orders, upcoming, why } from './views.ts';

const capitals = (word: string) => word.toUpperCase();
const smallLetters = (word: string) => word.toLowerCase();
const minorUnits = (amount: string) => amount.replace('.', '').replace(/^0+(?=\d)/, '');

/** The part of the studio for the store. */
export const storePages: ApiPages = {
  sections: [
    {
      name: 'orders',
      title: 'Orders',
      hint: 'why a total is what it is, compare two',
      table: 'orders',
      about: 'Checkout, states and money of this order',
      view: orders,
    },
  ],
  views: { data, why },
  Latest: lazyView(latest),
  Upcoming: lazyView(upcoming),
  tones: {
    ok: 'confirmed shipped completed sold ready',
    warn: 'processing authorized backordered onhold',
    bad: 'abandoned cancelled',
    info: 'checkout',
    vio: 'released returned refunded void',
  },
  tables: {
    checkouts: 'orders',
    items: 'order_items',
    shipping_address: 'addresses',
    billing_address: 'addresses',
  },
  declined: 'The payment was declined.',
  filter: { words: filterWords, examples: ['step:purchase', 'order:105'] },
  snapshot: 'before-payment',
  rules: {
    endpoint: 'PUT /api/checkouts/:order_id',
    step: 'purchase',
    effects: [paymentEffect],
    starters: [
      { title: 'Decline the next payment', query: 'effect=outcome&frequency=first&count=1' },
    ],
    hint: 'card=4242 user=3 totalFrom=5000',
    conditionsOf: ({ order_id: order }, body) =>
      Object.entries({ order, user: valueAt(body, ['user', 'id']) })
        .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${formatValue(value)}`]))
        .join(' '),
  },
  palette: {
    example: 'order 105, stock 7, +1 day, addOrderItem, …',
    tables: ['orders', 'users', 'products', 'variants', 'payments', 'shipments'],
    pages: [{ name: 'data/stock', title: 'Stock', hint: 'see and set' }],
    parts: [{ word: 'stock', table: 'variants', title: 'Stock of variant', hint: 'see and set' }],
    searches: [
      // By number, e-mail and name.
      { table: 'orders', field: 'email', pattern: /^(\d{4,}|\D.{2,})$/, findIn: 'orders' },
      { table: 'orders', field: 'total', pattern: /^\d+\.\d\d$/, exact: minorUnits },
      { table: 'orders', field: 'state', pattern: /^[a-z]{4,}$/i, exact: smallLetters },
      { table: 'payments', field: 'state', pattern: /^[a-z]{4,}$/i, exact: smallLetters },
      { table: 'users', field: 'email', pattern: /^[^\s@]+@\S+$/, exact: smallLetters },
      { table: 'users', field: 'first_name', pattern: /^\p{L}+$/u, exact: capitalize },
      { table: 'users', field: 'last_name', pattern: /^\p{L}+$/u, exact: capitalize },
      { table: 'variants', field: 'sku', pattern: /^(?!\d+$)[\w-]{3,}$/, exact: capitals },
      { table: 'coupons', field: 'code', pattern: /^(?!\d+$)[\w-]{3,}$/, exact: capitals },
    ],
  },
};
