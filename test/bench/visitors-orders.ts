import { address, card } from '../support/checkout-steps.ts';
import {
  json as type,
  post,
  put,
  times,
  type Room,
  type Send,
  type Sent,
  type Visit,
} from './visit.ts';

/** Orders of many pieces and items, at every step. */
export function orderStories({ isDemo }: Room): Visit[] {
  const most = isDemo ? 280 : 10_000;
  const items = isDemo ? 100 : 1000;
  const steps: Sent[] = [
    put('/api/checkouts/121', { shippingAddress: address }),
    put('/api/checkouts/121', { shipments: { 0: { method: 1 } } }),
    put('/api/checkouts/121', { paymentMethod: 1 }),
    { method: 'PUT', url: '/api/checkouts/121', type, body: '{}' },
    put('/api/checkouts/121', card),
  ];
  const fills: Record<string, (send: Send) => Promise<unknown>> = {
    pieces: (send) => send(add(most)),
    items: (send) => times(items, () => send(add(1))),
  };
  const filledCarts = Object.entries(fills).map(([what, fill]) => ({
    what,
    prepare: async (send: Send) => {
      await cart(send);
      await fill(send);
    },
  }));
  return [
    { name: 'an item of 10,000 pieces', prepare: cart, request: add(10_000) },
    ...filledCarts.flatMap(({ what, prepare }) => [
      ...steps.map((request, at) => ({
        name: `many ${what}, step ${at + 1}`,
        prepare: async (send: Send) => {
          await prepare(send);
          for (const step of steps.slice(0, at)) await send(step);
        },
        request,
      })),
      { name: `many ${what}, another item`, prepare, request: add(1) },
      { name: `many ${what}, read`, prepare, request: { method: 'GET', url: '/api/orders/121' } },
      {
        name: `many ${what}, delete`,
        prepare,
        request: { method: 'DELETE', url: '/api/orders/121' },
      },
      {
        name: `many ${what}, one away`,
        prepare: async (send: Send) => {
          await prepare(send);
          await send(steps[0]!);
          await send(steps[1]!);
        },
        request: { method: 'DELETE', url: '/api/orders/121/items/257' },
      },
      {
        name: `many ${what}, expire`,
        prepare,
        request: put('/_backlot/clock', { advance: 'P100D' }),
      },
      {
        name: `many ${what}, cancel`,
        prepare: async (send: Send) => {
          await prepare(send);
          for (const step of steps) await send(step);
        },
        request: post('/_backlot/transitions/order/121', { transition: 'cancel' }),
      },
      {
        name: `many ${what}, stock comes`,
        prepare: async (send: Send) => {
          await send(put('/_backlot/stock', { stockLocation: 1, variant: 7, onHand: 0 }));
          await prepare(send);
          for (const step of steps) await send(step);
        },
        request: put('/_backlot/stock', { stockLocation: 1, variant: 7, onHand: 1e6 }),
      },
    ]),
    {
      name: 'many pieces, given up among backorders of no order',
      prepare: async (send: Send) => {
        await send(put('/_backlot/stock', { stockLocation: 1, variant: 7, onHand: 0 }));
        for (const order of [121, 122]) {
          await cart(send);
          await send({ ...add(most / 2), url: `/api/orders/${order}/items/` });
          for (const step of steps) await send({ ...step, url: `/api/checkouts/${order}` });
          if (order === 121) {
            await send(post('/_backlot/transitions/order/121', { transition: 'cancel' }));
            await send(put('/_backlot/stock', { stockLocation: 1, variant: 7, onHand: 1e6 }));
          }
        }
      },
      request: post('/_backlot/transitions/order/122', { transition: 'cancel' }),
    },
    {
      name: 'many carts expire',
      prepare: (send) => times(isDemo ? 300 : 5000, () => cart(send)),
      request: put('/_backlot/clock', { advance: 'P100D' }),
    },
    { name: 'a leap in time', request: put('/_backlot/clock', { advance: 'P6000Y' }) },
  ];
}

/** Lists of full tables. */
export function listStories({ isDemo }: Room): Visit[] {
  const lists = [
    'orders',
    'users',
    'products',
    'channels',
    'payments',
    'shipments',
    'stock-locations',
    'promotions',
  ];
  const sortings =
    'limit=1000&sorting[email]=asc&sorting[name]=asc&sorting[id]=desc&sorting[salt]=asc';
  const users = (send: Send) =>
    times(isDemo ? 300 : 1000, (at) =>
      send(
        post('/api/users/', {
          firstName: 'a'.repeat(255),
          lastName: 'b'.repeat(255),
          email: `${'c'.repeat(200)}${at}@example.com`,
          plainPassword: 'd'.repeat(4000),
        }),
      ),
    );
  const products = (send: Send) =>
    times(isDemo ? 150 : 1000, (at) =>
      send(post('/api/products/', { name: `a${at}`, description: 'b'.repeat(7000), price: 1 })),
    );
  return [
    ...lists.flatMap((list) => [
      { name: `list ${list}`, request: { method: 'GET', url: `/api/${list}/?limit=1000` } },
      { name: `sort ${list}`, request: { method: 'GET', url: `/api/${list}/?${sortings}` } },
    ]),
    ...Object.entries({ users, products }).flatMap(([list, prepare]) => [
      {
        name: `list many ${list}`,
        prepare,
        request: { method: 'GET', url: `/api/${list}/?limit=1000` },
      },
      {
        name: `search many ${list}`,
        prepare,
        request: {
          method: 'GET',
          url: `/api/${list}/?limit=1000&criteria[name]=${'b'.repeat(200)}`,
        },
      },
      {
        name: `sort many ${list}`,
        prepare,
        request: {
          method: 'GET',
          url: `/api/${list}/?limit=1000&sorting[description]=asc`,
        },
      },
      { name: `export many ${list}`, prepare, request: { method: 'GET', url: '/_backlot/export' } },
    ]),
  ];
}

function add(quantity: number): Sent {
  return post('/api/orders/121/items/', { variant: 7, unitPrice: 100, quantity });
}

function cart(send: Send) {
  return send(post('/api/orders/', { channel: 1, user: 1, currency: 'EUR' }));
}
