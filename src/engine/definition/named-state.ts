import * as z from 'zod';
import { RequestView } from './explanation-view.ts';

export const StateView = z.strictObject({
  name: z.string().describe('As in `POST /_backlot/states/:name` and `/_backlot/begin?state=`'),
  about: z.string(),
  line: z.string().describe('JavaScript that opens it, for a back office `office`'),
});
export type StateView = z.output<typeof StateView>;

/** What was opened: a scenario, or a record in a state. */
export const OpenedView = z.strictObject({
  state: z.string(),
  record: z.string().optional().describe('What was added: `order`. Absent for a scenario'),
  id: z.union([z.int(), z.string()]).optional(),
  part: z
    .strictObject({ record: z.string(), id: z.union([z.int(), z.string()]) })
    .optional()
    .describe('The record of an order that is in the state: its `payment`'),
  url: z.string().optional(),
  awaits: z.string().optional().describe('The step that the record awaits, if it awaits one'),
  next: RequestView.optional().describe(
    'The request that submits the step, or else applies the first transition that is possible',
  ),
  needsToken: z
    .literal(true)
    .optional()
    .describe('Whether the API requires an access token for that request'),
});
export type OpenedView = z.output<typeof OpenedView>;

/** A state in which a shop can be opened by its name, besides its scenarios. */
export interface NamedState<Shop> extends Readonly<StateView> {
  /** Adds a record in this state to a back office. @throws Problem if the shop lacks what it needs */
  open(office: { readonly shop: Shop }): Omit<OpenedView, 'state'>;
}
