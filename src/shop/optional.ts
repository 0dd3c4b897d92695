// What few shops need: a page loads it after its first response, or when a scenario or a history needs it.
export { explanations } from './explain/explanations.ts';
export { generateOrders } from './generate/generate.ts';
export { orderRecords } from './order-records.ts';
