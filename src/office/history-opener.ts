export { createExplainApi, openHistory } from './history-parts.ts';
