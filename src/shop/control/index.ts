import type { ControlDefinition } from '../../engine/definition/api.ts';
import type { Database } from '../models/database.ts';
import { storeDocuments } from '../documents.ts';
import { FactView, OrderExplanationView } from '../office/explanation-view.ts';
import { explainEndpoints } from './explain.ts';
import { follow } from './follow.ts';
import { givenEndpoints } from './given.ts';
import { orderViewEndpoints } from './order-view.ts';
import { progressEndpoints } from './progress.ts';
import { matchesRecorded } from '../recorded-script.ts';
import { shopEndpoints } from './shop.ts';
import { namedStates } from './states.ts';
import { transitionEndpoints } from './transitions.ts';

export const storeControl: ControlDefinition = {
  endpoints: [
    ...transitionEndpoints,
    ...shopEndpoints,
    ...progressEndpoints,
    ...orderViewEndpoints,
    ...explainEndpoints,
  ],
  setUp: givenEndpoints,
  states: namedStates,
  follow,
  documents: storeDocuments,
  overview: {
    counts: countRecords,
    lists: ['orders', 'users', 'payments', 'shipments'].map((name) => `/api/${name}/?limit=20`),
  },
  explanations: { fact: FactView, record: OrderExplanationView },
  matchesScript: matchesRecorded,
};

function countRecords(db: Database): string {
  const placed = db.orders.countBy('placed');
  const counts = {
    product: db.products.count(),
    user: db.users.count(),
    order: placed,
    cart: db.orders.count() - placed,
    promotion: db.promotions.count(),
    channel: db.channels.count(),
  };
  return Object.entries(counts)
    .map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
    .join(', ');
}
