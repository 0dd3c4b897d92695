export { storeDrift as drift } from './drift/index.ts';
export { workflows } from './workflows/index.ts';
