export { generateOrders } from './generate/generate.ts';

/** Loads what `generateOrders` needs. In Node.js, it is there from the start. */
export async function loadGenerator(): Promise<void> {}
