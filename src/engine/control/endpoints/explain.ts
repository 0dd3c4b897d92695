import { parseId } from '../../lib/names.ts';
import { endpoint } from '../endpoint.ts';
import { EntryExplanationView } from '../explanation-view.ts';

export const explainEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/journal/:entry_id/why',
    operationId: 'explainEntry',
    summary:
      'Explain which faults and rules of the script a request was compared with, and the first thing that did not match',
    status: 200,
    answer: EntryExplanationView,
    errors: ['missing'],
    example: { url: '/_backlot/journal/1/why' },
    handle: ({ office, params }) => office().explain.entry(parseId('entry', params.entry_id)),
  }),
];
