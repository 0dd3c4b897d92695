import * as z from 'zod';
import { text } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';

/** A report, whose parts `docs/coverage.md` describes, or how to get one. */
const CoverageView = z.union([
  z.strictObject({ enabled: z.literal(false), help: z.string() }),
  z.looseObject({ backlot: z.literal('coverage'), version: z.literal(1), requests: z.int() }),
]);

export const coverageEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/coverage',
    operationId: 'getCoverage',
    summary: 'Get the contract coverage of all sessions, if the server counts it',
    query: form({
      session: text()
        .optional()
        .describe(
          'Name of a session: returns only its counts, as `backlot coverage merge` reads them',
        ),
    }),
    answer: CoverageView,
    handle: ({ server, query: { session } }) =>
      server.coverageReport === undefined
        ? { enabled: false as const, help: 'Start the server with --coverage <file>.' }
        : CoverageView.parse(server.coverageReport(session)),
  }),
];
