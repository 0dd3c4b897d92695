/** Marks the file of a trace. */
export const traceFormat = 'backlot-trace';
