import { createFetchHandler } from 'backlot/fetch';

const mock = createFetchHandler({ demo: true, basePath: '/mock' });

export { mock as GET, mock as POST, mock as PUT, mock as PATCH, mock as DELETE };
