import createClient from 'openapi-fetch';
import type { paths } from './extended.js';

type Gadgets = paths['/rest/V1/gadgets/'];
type Body = Gadgets['post']['requestBody']['content']['application/json'];

const client = createClient<paths>({ baseUrl: process.env.EXTENDED_URL ?? '' });
const users = await client.GET('/rest/V1/users/', { params: { query: { limit: 1 } } });
const [user] = users.data?._embedded.items ?? [];
if (user === undefined) throw new Error('no user');

// Compiles only if the document has each kind of field with its type.
const body: Body = {
  text: 'Lamp',
  integer: 3,
  decimal: 1.5,
  money: 500,
  flag: true,
  time: '2026-03-02T09:00:00+0000',
  oneOf: 'red',
  texts: ['one'],
  ref: user.id,
  refs: [7],
};
const made = await client.POST('/rest/V1/gadgets/', { body });
if (made.data === undefined) throw new Error('no gadget');
const shown: [string, number | undefined, 'red' | 'green'] = [
  made.data.id,
  made.data.computed,
  made.data.colour,
];
const params = { path: { id: shown[0] } };
const cart = await client.POST('/rest/V1/gadgets/{id}/cart', { params, body: { currency: 'EUR' } });
if (cart.data?.user?.id !== user.id) throw new Error('no cart');
const order = await client.POST('/_backlot/given/anOrder', { body: { user: user.id } });
if (order.data?.user?.id !== user.id) throw new Error('no order');
