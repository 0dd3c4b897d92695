export { explanations } from './explain/explanations.ts';
export { generateOrders } from './generate/generate.ts';
