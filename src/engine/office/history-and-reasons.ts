export { briefResponse } from './brief.ts';
export { createExplainApi } from './explain-api.ts';
export { HistoryRecorder } from './history.ts';
export { whyHeader, whyLine } from './why-line.ts';
