import { Page } from '../../engine/rest/page.ts';
import { findOrThrow, pageOf } from '../../engine/definition/records.ts';
import { endpoint } from './endpoint.ts';
import { listing } from '../../engine/definition/listing.ts';
import { newestFirst, orderPageForm, OrderView, orderView } from './order.ts';

export const userOrderEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/users/:user_id/orders/',
    summary: 'List the placed orders of a user, newest first',
    isExtra: true,
    query: orderPageForm,
    status: 200,
    answer: Page(OrderView),
    errors: ['missing', 'invalid'],
    example: { url: '/api/users/3/orders/?limit=2' },
    subject: ({ shop, params }) => findOrThrow(shop.db.users, params.user_id),
    handle(call) {
      const { shop, subject } = call;
      const among = shop.db.orders.by('placedBy', subject.id);
      return pageOf(
        listing(shop.db.orders, { fields: newestFirst }, call, { among }),
        (order) => orderView(shop.db, order, true),
        call,
      );
    },
  }),
];
