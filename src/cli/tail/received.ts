import * as z from 'zod';
import { BriefView, Reach, SummaryView } from '../../engine/office/history-view.ts';
import { jsonLimits, parseForeignJson } from '../../engine/lib/json-limits.ts';
import { readJson } from '../../engine/lib/read-text.ts';
import { Move, RecordChange } from '../../engine/office/changes.ts';

/** An entry of a list. A later version of the server may add fields. */
export const Summary = z.looseObject(SummaryView.shape);
export type Summary = z.output<typeof Summary>;

export const Batch = z.object({
  entries: z.array(Summary).max(1000),
  more: z.int().min(0).optional().describe('Number of earlier entries that are left out'),
});
export type Batch = z.output<typeof Batch>;

export const Summaries = z.object({ summaries: z.array(Summary) });

/** From which entries on the history of a server is complete. */
export const HistoryReach = z.object(Reach.shape);
export type HistoryReach = z.output<typeof HistoryReach>;

/** The changes of an entry. */
export const Changed = z.object({ changes: z.array(RecordChange), moves: z.array(Move) });
export type Changed = z.output<typeof Changed>;

/** An entry as a brief response. */
export const Brief = z.object(BriefView.shape);
export type Brief = z.output<typeof Brief>;

/** The body of an error response. */
export const ErrorBody = z.object({ message: z.string() });

/** Maximum time for a whole body, in milliseconds. */
const maxTime = 10_000;

const { exchange: limits } = jsonLimits;

/** Reads a body of JSON; undefined if it is too large, takes too long or is not what the schema says. */
export async function readAs<Schema extends z.ZodType>(
  schema: Schema,
  response: Response,
): Promise<z.output<Schema> | undefined> {
  const signal = AbortSignal.timeout(maxTime);
  try {
    return schema.safeParse(await readJson({ response, name: 'The body', signal }, limits)).data;
  } catch {
    return undefined;
  }
}

/** Parses JSON; undefined if it is not what the schema says. */
export function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | undefined {
  try {
    return schema.safeParse(parseForeignJson(text, 'The body', limits)).data;
  } catch {
    return undefined;
  }
}
