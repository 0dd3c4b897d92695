export { createExplainApi, openHistory, whyHeader, whyLine } from './history-parts.ts';
