import { escapeControls } from '../engine/lib/printable.ts';

/** Returns a report as JSON, with control characters escaped: it may be printed to a terminal. */
export function jsonText(report: unknown): string {
  return JSON.stringify(report, null, 2).split('\n').map(escapeControls).join('\n');
}
