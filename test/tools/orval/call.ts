import { addOrderItem, createOrder, getOrder, listOrders } from './src/backlot.js';

const order = await getOrder(1);
if (order.status !== 200 || order.data.id !== 1) throw new Error('no order');
const cart = await createOrder({ channel: 1, user: 1, currency: 'EUR' });
if (cart.status !== 201) throw new Error('no cart');
const item = await addOrderItem(cart.data.id, { variant: 1, unitPrice: 1990, quantity: 2 });
if (item.status !== 201 || item.data.quantity !== 2) throw new Error('no item');
const page = await listOrders({ limit: 2 });
if (page.status !== 200 || page.data._embedded.items.length !== 2) throw new Error('no list');
