import { createFetchHandler } from 'backlot/fetch';

let mock;

export default {
  fetch(request) {
    mock ??= createFetchHandler({ demo: true, basePath: '/mock', requestRate: 1000 });
    return mock(request);
  },
};
