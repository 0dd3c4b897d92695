// What few back offices need: a page loads it after its first response, or when it is needed.
export { createExplainApi } from './explain-api.ts';
export { openHistory } from './history.ts';
export { whyHeader, whyLine } from './why-line.ts';
export { seenRequests } from '../journal/similar.ts';
