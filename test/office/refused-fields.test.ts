// @module-tag slow

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RefusedField } from '../../src/index.ts';
import { contract } from '../../src/resources/index.ts';
import { damaged, parametersOf } from '../support/damaged.ts';
import { openOffice, type Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

type Values = Readonly<Record<string, unknown>>;

const office = openOffice();
const forms = contract
  .filter(({ body, query }) => (body ?? query) !== undefined)
  .map((row) => ({ name: `${row.method} ${row.path}: ${row.step ?? row.summary}`, row }));

/** Returns the fields that the last request was refused for. */
function refusedBy({ journal, explain }: Office): readonly RefusedField[] {
  return explain.entry(journal.entries().at(-1)!.id).refused;
}

/** Puts what is accepted in the place of what was sent. */
function corrected(
  values: unknown,
  { path, ...field }: Pick<RefusedField, 'path' | 'example' | 'omit'>,
): Values {
  const [name = '', ...below] = path;
  const { [name]: before, ...others } = Object(values) === values ? (values as Values) : {};
  if (below.length > 0) return { ...others, [name]: corrected(before, { path: below, ...field }) };
  return field.omit === true ? others : { ...others, [name]: field.example };
}

test.each(forms)(
  'a refused $name is accepted with what each explanation accepts in the place of what was sent',
  async ({ row: { method, query, body, example } }) => {
    const [path = ''] = example.url.split('?');
    const isRead = method === 'GET';
    const wrong = damaged((isRead ? query : body)?.children ?? {}, example.body);
    await fc.assert(
      fc.asyncProperty(wrong, async (values: Values) => {
        office.reset();
        const send = (sent: Values): ReturnType<Office['call']> =>
          isRead
            ? office.call(`GET ${path}?${parametersOf(sent)}`)
            : office.call(`${method} ${path}`, sent);
        let answer = await send(values);
        let sent = isRead ? office.journal.entries().at(-1)!.request.query : values;
        // Fields of blocks, and what the step itself refuses, are known after the other fields.
        for (let round = 0; answer.status >= 400 && round < 8; round++) {
          const refused = refusedBy(office);
          if (refused[0]?.rule === 'readable') {
            expect(answer.body.message).toMatch(/^Parameters cannot be read/);
            return;
          }
          // Without its fields, a request is one of another step.
          if (refused[0]?.accepts === 'no other value, until the state of the shop has changed') {
            expect(answer.body.message).toMatch(/it awaits \w+, not \w+\.|^Unknown parameters/);
            return;
          }
          expect(refused).not.toEqual([]);
          sent = refused.reduce<Values>(corrected, sent);
          answer = await send(sent);
        }
        expect([answer.status, answer.body, sent]).toEqual([
          expect.toBeOneOf([200, 201, 204]),
          answer.body,
          sent,
        ]);
      }),
      { numRuns: runs(300) },
    );
  },
);
