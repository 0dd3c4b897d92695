import * as z from 'zod';
import type { ApiDefinition } from '../../definition/api.ts';
import { parseId } from '../../lib/names.ts';
import { endpoint } from '../endpoint.ts';
import { entryExplanationView, FactView } from '../../definition/explanation-view.ts';

export function explainEndpoints({ control }: ApiDefinition) {
  const { fact = FactView, record = z.unknown() } = control?.parts().explanations ?? {};
  return [
    endpoint({
      method: 'GET',
      path: '/_backlot/journal/:entry_id/why',
      operationId: 'explainEntry',
      summary:
        'Explain which faults and scripts a request was compared with, and the first thing that did not match',
      answer: entryExplanationView(fact, record),
      handle: ({ office, params }) => office().explain.entry(parseId('entry', params.entry_id)),
    }),
  ];
}
