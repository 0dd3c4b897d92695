// What few scenarios need: a page loads it after its first response, or when a scenario needs it.
export { assertValidRecords, changedState } from './changes.ts';
export { moveToToday } from './today.ts';
