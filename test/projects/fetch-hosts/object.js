import { createFetchHandler, durableObjectStore } from 'backlot/fetch';

export class Shops {
  constructor({ storage }) {
    this.fetch = createFetchHandler({
      demo: true,
      basePath: '/mock',
      requestRate: 1000,
      store: durableObjectStore(storage),
    });
  }
}

export default {
  fetch: (request, { SHOPS }) => SHOPS.getByName('all').fetch(request),
};
