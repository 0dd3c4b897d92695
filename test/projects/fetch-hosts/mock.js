import { createFetchHandler } from 'backlot/fetch';
import { storeAt } from 'backlot/node';

const { SHOPS } = process.env;
const store = SHOPS && storeAt(`file:${SHOPS}`);

export const mock = createFetchHandler({
  demo: true,
  basePath: '/mock',
  requestRate: 1000,
  store: store || undefined,
});
