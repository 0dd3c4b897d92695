export { createExplainApi, openHistory } from './history-parts.ts';

/** Loads what these need. In Node.js, it is there from the start. */
export async function loadHistory(): Promise<void> {}
