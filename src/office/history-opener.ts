export { openHistory } from './history.ts';

/** Loads what `openHistory` needs. In Node.js, it is there from the start. */
export async function loadHistory(): Promise<void> {}
