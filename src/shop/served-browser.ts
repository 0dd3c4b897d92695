import type { ServedPart } from '../engine/definition/api.ts';
import { onDemand } from '../engine/lib/on-demand.ts';

/** Replaces `served.ts` in the bundle for browsers, which load this part with the first request to the control API. */
export const served = onDemand<ServedPart>();

/** In browsers, no command runs and no report is made. */
export const commandParts = {};
