import { createFetchHandler } from 'backlot/fetch';

export const mock = createFetchHandler({ demo: true, basePath: '/mock', requestRate: 1000 });
