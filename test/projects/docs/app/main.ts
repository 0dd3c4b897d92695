import '../blocks/readme-in-a-page-without-a-server.ts';
import { call } from '../blocks/client-types-types-for-your-own-client.ts';

const order = await call('', 'GET /api/orders/:order_id', { path: { order_id: 1 } });
document.title = String(order.items_total);
