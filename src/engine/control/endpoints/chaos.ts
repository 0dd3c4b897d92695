import * as z from 'zod';
import { traceHeaders } from '../../dashboard/trace-page.ts';
import { ForeignTextError } from '../../lib/json-limits.ts';
import { Problem } from '../../lib/problem.ts';
import { text } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';

const ChaosReportView = z.looseObject({
  backlot: z.literal('chaos'),
  version: z.literal(1),
  ended: z.string().describe('When the run ended: an ISO 8601 date-time'),
  columns: z
    .array(
      z.looseObject({
        name: z.string(),
        text: z.string(),
        rule: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('Part of a fault that does the same'),
      }),
    )
    .describe('The faults'),
  findings: z
    .array(
      z.looseObject({
        title: z.string(),
        cells: z.array(z.int()).describe('Indexes of the cells with this cause'),
      }),
    )
    .default([])
    .describe('The red cells by cause'),
  cells: z.array(
    z.looseObject({
      test: z.string(),
      file: z.string(),
      row: z.int().describe('Number of its row in the test: 0 for the first'),
      title: z.string().describe('What its row has: a call of an endpoint'),
      column: z.string(),
      endpoint: z.string().optional().describe('Method and path'),
      tone: z
        .enum(['red', 'yellow', 'green', 'grey'])
        .optional()
        .describe('`yellow` fails nothing; unset if it was left out'),
      reason: z.string().optional(),
      before: z.string().optional().describe('What the page shows before, and not after'),
      after: z.string().optional(),
      trace: z.string().optional().describe('File of the trace'),
    }),
  ),
});
export type ChaosReportView = z.output<typeof ChaosReportView>;

/** A report of `backlot chaos`, or how to get one, or the page of one of its traces. */
const ChaosView = z.union([
  z.strictObject({ found: z.literal(false), help: z.string() }),
  ChaosReportView,
  z.string(),
]);

export const chaosEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/chaos',
    operationId: 'getChaosFindings',
    summary: 'Get the findings of the last run of `npx backlot chaos` in the folder of the server',
    textType: 'text/html; charset=utf-8',
    headers: traceHeaders,
    query: form({
      trace: text().optional().describe('File of a trace: returns the page that shows it'),
    }),
    answer: ChaosView,
    errors: ['invalid', 'missing', 'refused'],
    handle({ server: { chaos }, query: { trace } }) {
      if (chaos?.exist() !== true) {
        return { found: false as const, help: 'Run npx backlot chaos -- vitest run.' };
      }
      const report = readable(() => ChaosReportView.parse(chaos.read()));
      if (trace === undefined) return report;
      const isNamed = report.cells.some((cell) => cell.trace === trace);
      const page = isNamed ? readable(() => chaos.readTrace(trace)) : undefined;
      if (page !== undefined) return page;
      throw new Problem('missing', `No finding has a trace ${trace}.`);
    },
  }),
];

/** Returns what was read. @throws Problem `refused` if it cannot be read */
function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    const why = error instanceof ForeignTextError ? `: ${error.message}` : '';
    const message = `The findings of backlot chaos cannot be read${why}. Run npx backlot chaos -- vitest run again.`;
    throw new Problem('refused', message);
  }
}
