import { startWorker } from 'backlot/browser';

export const scenario = 'default';

const started = startWorker({ scenario });

export const stop = async () => (await started).stop();

window.starts = (window.starts ?? 0) + 1;
window.ready = started.then(() => scenario);

import.meta.hot?.accept();
