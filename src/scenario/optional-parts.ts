// What few scenarios need: a page loads it after its first response, or when a scenario needs it.
export { assertValidRules, changedState } from './changes.ts';
export { generateOrders } from './generate/generate.ts';
export { moveToToday } from './today.ts';
