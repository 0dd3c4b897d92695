import { client } from './src/client.gen.js';
import { addOrderItem, createOrder, getOrder, listOrders } from './src/index.js';

client.setConfig({ baseUrl: process.env.BACKLOT_URL ?? '' });
const { data: order } = await getOrder({ path: { order_id: 1 } });
if (order?.id !== 1) throw new Error('no order');
const { data: cart } = await createOrder({ body: { channel: 1, user: 1, currency: 'EUR' } });
if (cart === undefined) throw new Error('no cart');
const { data: item, response } = await addOrderItem({
  path: { order_id: cart.id },
  body: { variant: 1, unitPrice: 1990, quantity: 2 },
});
if (response?.status !== 201 || item?.quantity !== 2) throw new Error('no item');
const { data: page } = await listOrders({ query: { limit: 2, 'sorting[total]': 'desc' } });
if (page?._embedded.items.length !== 2) throw new Error('no list');
