import SwaggerClient from 'swagger-client';
const url = process.env.BACKLOT_URL;
const client = await SwaggerClient({ url: `${url}/_backlot/openapi.json` });
const { status, body: order } = await client.apis.orders.getOrder({ order_id: 1 });
if (status !== 200 || order.id !== 1) throw new Error('no order');
const { body: cart } = await client.apis.orders.createOrder(
  {},
  { requestBody: { channel: 1, user: 1, currency: 'EUR' } },
);
const item = await client.apis.orders.addOrderItem(
  { order_id: cart.id },
  { requestBody: { variant: 1, unitPrice: 1990, quantity: 2 } },
);
if (item.status !== 201 || item.body.quantity !== 2) throw new Error('no item');
const list = await client.apis.orders.listOrders({ limit: 2, 'sorting[total]': 'desc' });
if (list.body._embedded.items.length !== 2) throw new Error('no list');
if (client.errors.length > 0) throw new Error(JSON.stringify(client.errors));
