import * as fc from 'fast-check';
import * as z from 'zod';

/** A value that every content type can represent: no null, no empty list or block. */
export type Sent = string | number | boolean | readonly Sent[] | { readonly [name: string]: Sent };

/**
 * Generates bodies for a form: mostly valid ones, with values of the example if they fit, and sometimes a value
 * of the wrong type or an unknown parameter.
 */
export function sentBody(
  schema: z.ZodObject,
  example: Readonly<Record<string, unknown>> = {},
): fc.Arbitrary<Record<string, Sent>> {
  return fc.oneof(
    { arbitrary: block(schema, example, 1), weight: 3 },
    { arbitrary: block(schema, example, 0.7), weight: 2 },
    { arbitrary: fc.tuple(block(schema, example, 1), text).map(withUnknown), weight: 1 },
  );
}

function withUnknown([body, value]: [Record<string, Sent>, Sent]): Record<string, Sent> {
  return { ...body, nothing: value };
}

/** @param presence probability of each optional parameter */
function block(
  schema: z.ZodObject,
  example: unknown,
  presence: number,
): fc.Arbitrary<Record<string, Sent>> {
  const given = (typeof example === 'object' && example !== null ? example : {}) as Record<
    string,
    unknown
  >;
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const there = given[name] === undefined ? 0.4 : presence;
    return fc
      .tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        parameter(field as z.ZodType, given[name], presence),
      )
      .map(([chance, value]) => (chance <= there ? [[name, value] as const] : []));
  });
  return fc
    .tuple(...fields)
    .map((entries) => Object.fromEntries(entries.flat()))
    .filter((value) => Object.keys(value).length > 0);
}

function parameter(field: z.ZodType, example: unknown, presence: number): fc.Arbitrary<Sent> {
  if (field instanceof z.ZodOptional)
    return parameter(field.unwrap() as z.ZodType, example, presence);
  if (field instanceof z.ZodObject) return block(field, example, presence);
  if (field instanceof z.ZodRecord) {
    const entry = (example as Record<string, unknown> | undefined)?.['0'];
    const shipment = parameter(field.valueType as z.ZodType, entry, presence);
    return fc.dictionary(fc.constantFrom('0', '1', 'x'), shipment, { minKeys: 1, maxKeys: 2 });
  }
  if (field instanceof z.ZodArray) {
    return fc.array(parameter(field.element as z.ZodType, undefined, presence), {
      minLength: 1,
      maxLength: 3,
    });
  }
  return fc.oneof(
    ...(isSent(example) ? [{ arbitrary: fc.constant(example), weight: 12 }] : []),
    { arbitrary: ofKind(field), weight: 3 },
    { arbitrary: misfit, weight: 1 },
  );
}

function isSent(example: unknown): example is Sent {
  return ['string', 'number', 'boolean'].includes(typeof example);
}

function ofKind(field: z.ZodType): fc.Arbitrary<Sent> {
  if (field instanceof z.ZodBoolean) return fc.oneof(fc.boolean(), digits, word);
  if (field instanceof z.ZodNumber) return fc.oneof(fc.integer({ min: -2, max: 9 }), digits);
  if (field instanceof z.ZodEnum) return fc.constantFrom(...field.options.map(String), 'other');
  return text;
}

const digits = fc.constantFrom('0', '1', '2', '03', '-1', '1.5', '+1', ' 2 ', '1e3');
const word = fc.constantFrom('on', 'true', 'false', 'off', '', ' ', 'yes');
// Encoders of multipart bodies rewrite line breaks.
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((one) => one.replaceAll(/[\r\n]/g, ''));
const misfit: fc.Arbitrary<Sent> = fc.oneof(
  text,
  digits,
  word,
  fc.integer({ min: -9, max: 99_999 }),
  fc.record({ a: text }),
  fc.tuple(text),
);
