// What few shops need: a page loads it after its first response, or when a scenario or a history needs it.
export { explanations } from './explain/explanations.ts';
export { generateOrders } from './generate/generate.ts';
export { orderRecords } from './order-records.ts';

/** Does nothing: in Node.js, the parts are there from the start. */
export const provideOptionalParts: (parts: object) => void = () => undefined;
