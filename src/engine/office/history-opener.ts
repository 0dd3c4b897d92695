export {
  createExplainApi,
  exportShop,
  importShop,
  openHistory,
  seenRequests,
  whyHeader,
  whyLine,
} from './history-parts.ts';
