import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { ApiEndpoint } from '../../src/engine/definition/api.ts';
import { withValue } from '../../src/engine/lib/json-value.ts';
import type { RefusedField } from '../../src/index.ts';
import { damaged, parametersOf } from '../support/damaged.ts';
import type { Calls, Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns the fields that the last request was refused for. */
function refusedBy({
  journal,
  explain,
}: Pick<Office, 'journal' | 'explain'>): readonly RefusedField[] {
  return explain.entry(journal.entries().at(-1)!.id).refused;
}

/**
 * Puts what is accepted in the place of what was sent. If a rule of the shop decides, that is the value of the example of the
 * endpoint, or one that no record has.
 */
function corrected(documented: Values, sent: Values, field: RefusedField): Values {
  const { path, rule, message, example, omit } = field;
  if (omit === true) return withValue(sent, path, undefined);
  if (example !== undefined) return withValue(sent, path, example);
  const [name = '', ...below] = path;
  // A rule may refuse a part of a block, such as a shipment that the order does not have.
  if (below.length === 0) expect(rule).not.toBe('required');
  const isUnique = / already (used|exists|registered)|unique/.test(message);
  const value = isUnique ? `${count++}${String(documented[name])}` : documented[name];
  return withValue(sent, [name], value);
}

let count = 0;

/** Messages of requests that are refused as a whole. */
const ofWhole =
  /it awaits \w+( or \w+)?, not \w+\.|^Unknown parameters|the highest exact number\.$|^User not found!|^Parameters cannot be read/;

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
        // Without its fields, a request is one of another step. Others are refused for their message.
        if (refused[0]?.path.length === 0) {
          expect([refused[0].accepts, answer.body.message]).toEqual([
            'what the message says',
            expect.stringMatching(ofWhole),
          ]);
          return;
        }
        expect(refused).not.toEqual([]);
        sent = refused.reduce(
          (before, field) => corrected(example.body ?? {}, before, field),
          sent,
        );
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
