import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths>({ baseUrl: process.env.BACKLOT_URL ?? '' });
const { data } = await client.GET('/api/orders/{order_id}', { params: { path: { order_id: 1 } } });
if (data?.id !== 1 || data.state === undefined) throw new Error('no order');
const created = await client.POST('/api/orders/', {
  body: { channel: 1, user: 1, currency: 'EUR' },
});
if (created.response.status !== 201 || created.data === undefined) throw new Error('no cart');
const item = await client.POST('/api/orders/{order_id}/items/', {
  params: { path: { order_id: created.data.id } },
  body: { variant: 1, unitPrice: 1990, quantity: 2 },
});
if (item.data?.quantity !== 2) throw new Error('no item');
const list = await client.GET('/api/orders/', {
  params: { query: { limit: 2, 'sorting[total]': 'desc' } },
});
if (list.data?._embedded.items.length !== 2) throw new Error('no list');
