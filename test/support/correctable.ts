import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { ApiEndpoint } from '../../src/engine/definition/api.ts';
import type { RefusedField } from '../../src/index.ts';
import { damaged, parametersOf } from './damaged.ts';
import type { Calls, Office } from './office.ts';
import { runs } from './runs.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns the fields that the last request was refused for. */
function refusedBy({
  journal,
  explain,
}: Pick<Office, 'journal' | 'explain'>): readonly RefusedField[] {
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

/** Expects refused requests to be accepted with what each explanation accepts in the place of what was sent. */
export async function expectCorrectable(
  office: Calls & Pick<Office, 'reset' | 'journal' | 'explain'>,
  { method, query, body, example }: ApiEndpoint,
): Promise<void> {
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
          expect(answer.body.message).toMatch(
            /it awaits \w+( or \w+)?, not \w+\.|^Unknown parameters/,
          );
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
}
