// All that few scenarios need. A page imports it as one module: each further one would divide the package into more chunks.
export { explainOrder } from './explain/order.ts';
export { generateOrders } from './generate/generate.ts';
export { assertValidRecords, changedState, moveToToday } from '../scenario/optional-parts.ts';
