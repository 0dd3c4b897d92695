export {
  createExplainApi,
  openHistory,
  seenRequests,
  whyHeader,
  whyLine,
} from './history-parts.ts';
