// What few pages need: a page loads it after its first response, or when it is needed. One module, as `optional-parts.ts`.
export { createExplainApi } from './explain-api.ts';
export { openHistory } from './history.ts';
export { mostSimilar } from '../journal/similar.ts';
