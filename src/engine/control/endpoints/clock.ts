import * as z from 'zod';
import { isDuration } from '../../lib/duration.ts';
import { Problem } from '../../lib/problem.ts';
import { clockModes } from '../../lib/virtual-clock.ts';
import { ClockView } from '../../office/history-view.ts';
import { text } from '../../rest/field.ts';
import { form, notValid } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';
import { dateTimeIssues } from './reset.ts';

export const clockEndpoints = [
  endpoint({
    hasPast: true,
    method: 'GET',
    path: '/_backlot/clock',
    operationId: 'getClock',
    summary: 'Get the clock',
    answer: ClockView,
    handle: ({ office }) => office().clock.state,
  }),
  endpoint({
    method: 'PUT',
    path: '/_backlot/clock',
    operationId: 'setClock',
    summary: 'Set the clock, advance it by an ISO 8601 duration, or switch it to frozen or ticking',
    body: form({
      now: text()
        .optional()
        .describe('ISO 8601 date-time to set, before `advance`: `2026-03-02T09:00:00Z`'),
      advance: text().optional().describe('ISO 8601 duration to advance by: `PT3H`, `P1D`'),
      mode: z
        .enum(clockModes, { error: `${notValid} Expected ${clockModes.join(' or ')}.` })
        .optional()
        .describe('`frozen` stands still, `ticking` goes on with real time'),
    }),
    answer: ClockView,
    errors: ['invalid', 'refused'],
    example: { url: '/_backlot/clock', body: { advance: 'PT3H' } },
    check: ({ body: { now, advance } }) => [
      ...dateTimeIssues('now', now),
      advance === undefined || isDuration(advance)
        ? undefined
        : { path: ['advance'], message: `${notValid} Expected a duration such as PT3H or P1D.` },
    ],
    handle({ office, body: { now, advance, mode } }) {
      if ((now ?? advance ?? mode) === undefined)
        throw new Problem('invalid', 'Give now, advance or mode.');
      const { clock } = office();
      const before = clock.state;
      try {
        if (mode === 'ticking') clock.tick();
        if (mode === 'frozen') clock.freeze();
        if (advance !== undefined) clock.advance(advance, now);
        else if (now !== undefined) clock.set(now);
      } catch (error) {
        clock.restore(before);
        throw error;
      }
      return clock.state;
    },
  }),
];
