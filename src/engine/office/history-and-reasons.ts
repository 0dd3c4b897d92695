export { briefResponse } from './brief.ts';
export { createExplainApi } from './explain-api.ts';
export { openHistory } from './history.ts';
export { whyHeader, whyLine } from './why-line.ts';
