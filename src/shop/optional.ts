// What few scenarios need: a page loads it after its first response, or when a scenario needs it.
export { generateOrders } from './generate/generate.ts';
export { explainOrder } from './explain/order.ts';
