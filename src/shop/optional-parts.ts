import {
  createExplainApi,
  openHistory,
  seenRequests,
  whyHeader,
  whyLine,
} from '../engine/office/history-parts.ts';
import {
  assertValidRecords,
  changedState,
  moveToToday,
} from '../engine/scenario/optional-parts.ts';
import { explanations } from './explain/explanations.ts';
import { generateOrders } from './generate/generate.ts';
import { orderRecords } from './order-records.ts';

/** All that few shops need. A page imports it as one module: each further one would divide the package into more chunks. */
export const optionalParts = {
  assertValidRecords,
  changedState,
  moveToToday,
  createExplainApi,
  openHistory,
  seenRequests,
  whyHeader,
  whyLine,
  explanations,
  generateOrders,
  orderRecords,
};
