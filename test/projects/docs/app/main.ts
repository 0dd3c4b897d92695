import '../blocks/readme-in-a-page-without-a-server.ts';
import { call, ResponseError } from '../blocks/client.ts';

const order = await call('GET /api/orders/:order_id', { path: { order_id: 1 } });
const user = { email: 'ada', firstName: 'Ada', lastName: 'King', plainPassword: 'secret' };
const refused = await call('POST /api/users/', { body: user }).catch(
  (error) => error instanceof ResponseError && [error.message, error.body],
);
document.title = JSON.stringify([order.items_total, refused]);
