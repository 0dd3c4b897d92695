import type { ShownFault } from '../../engine/faults/fault-kind.ts';
import { isObject, parseJson, valueAt } from '../../engine/lib/json-value.ts';
import { formatValue } from '../format.ts';
import type { OpenApi, Schema } from '../openapi.ts';
import type { Studio } from '../studio.ts';
import type { Effect } from './effect.ts';

/** An effect in the editor: that of a fault or of a rule of the script. */
export interface EffectKind extends Pick<Effect, 'name' | 'label' | 'step' | 'texts'> {
  readonly kind: 'fault' | 'script';
  /** The values to choose from are those of its type (default: any text). */
  readonly fields: readonly (Effect['fields'][number] & {
    readonly values: readonly string[] | undefined;
  })[];
  /** Whether `after` has a meaning for it. */
  readonly allowsAfter: boolean;
  /** Whether what the request writes is kept, unless `after` says otherwise. */
  readonly keepsWrites: boolean;
  /** Returns the part of a rule with it, by the texts of its fields. */
  readonly ruleOf: (textOf: (field: string) => string) => object;
}

const refusal: Effect = {
  name: 'refuse',
  label: 'reject the step',
  fields: [
    { name: 'message', label: 'Message', initial: 'This value is not valid.' },
    { name: 'path', label: 'Field', initial: '', isOptional: true, hint: 'the form itself' },
  ],
  texts: { refuse: 'reject {path} “{message}”' },
};

/** All effects, the most common first: two kinds of fault, what the script can do, and the other kinds of fault. */
export function effectKinds({ client, pages }: Studio): readonly EffectKind[] {
  const document = client.openApi.value;
  if (document === undefined) return [];
  const faults = Object.entries(document['x-backlot-faults']).map(([name, { text, ...shown }]) =>
    kindOf(document, 'fault', { ...shown, name, texts: { [name]: text } }),
  );
  const others = [...pages.value.rules.effects, refusal].map((one) =>
    kindOf(document, 'script', one),
  );
  return [...faults.slice(0, 2), ...others, ...faults.slice(2)];
}

/** Returns the fields of a rule, as the document describes them. */
export function fieldsOf(
  { components }: OpenApi,
  kind: EffectKind['kind'],
): Readonly<Record<string, Schema>> {
  const body = kind === 'fault' ? 'AddFaultBody' : 'AddScriptRuleBody';
  return components.schemas[body]?.properties ?? {};
}

function kindOf(
  document: OpenApi,
  kind: EffectKind['kind'],
  { ruleOf, ...effect }: Effect & Partial<Pick<EffectKind, 'allowsAfter' | 'keepsWrites'>>,
): EffectKind {
  const { name } = effect;
  const properties = fieldsOf(document, kind);
  const { [name]: schema = {} } = properties;
  const parts = schema.properties ?? properties;
  const fields = effect.fields.map((field) => ({ ...field, values: choicesOf(parts[field.name]) }));
  return {
    allowsAfter: false,
    keepsWrites: true,
    ...effect,
    kind,
    fields,
    ruleOf(textOf) {
      if (schema.const !== undefined) return { [name]: schema.const };
      const texts = fields
        .map((field) => [field, textOf(field.name)] as const)
        .filter(([{ isOptional }, text]) => isOptional !== true || text.trim() !== '');
      const values = Object.fromEntries(
        texts.map(([field, text]) => [field.name, typed(text, parts[field.name])]),
      );
      if (ruleOf !== undefined) return ruleOf(values);
      return schema.properties === undefined ? values : { [name]: values };
    },
  };
}

/** A flag is chosen from one value. */
function choicesOf({ type, enum: values }: Schema = {}): readonly string[] | undefined {
  return type === 'boolean' ? ['true'] : values?.map(String);
}

/** Reads the value of a field from a text. A schema of any value takes JSON; one with `from` a range: `500-3000`. */
export function typed(text: string, { type, anyOf }: Schema = {}): unknown {
  if (anyOf?.some(({ properties }) => properties?.['from'])) return rangeOf(text);
  if (type === undefined) {
    const value = parseJson(text);
    return value === undefined ? text.trim() : value;
  }
  if (type === 'boolean') return text === 'true';
  if (type === 'array') return text.split('.');
  return type === 'integer' || type === 'number' ? numberOf(text) : text;
}

function rangeOf(text: string): unknown {
  const [from = '', to] = text.split(/[-–]/).map((part) => part.trim());
  return to === undefined ? numberOf(from) : { from: numberOf(from), to: numberOf(to) };
}

/** Text that is no number stays as it is, so that the server says what is wrong. */
export function numberOf(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

/** Fills the value into `{}`, or its parts into `{requests}`. A part that is missing is left out. */
export function filled(text: NonNullable<ShownFault['text']>, value: unknown): string {
  const chosen = typeof text === 'string' ? text : (text[String(value)] ?? '');
  const parts = isObject(value) ? { '': pairs(value).join(' '), ...value } : { '': value };
  return chosen.replaceAll(/\{(\w*)\}( ?)/g, (_, name: string, space: string) => {
    const part = valueAt(parts, [name]);
    if (part === undefined) return '';
    return `${Array.isArray(part) ? part.join('.') : formatValue(part)}${space}`;
  });
}

/** Returns texts of values with their names: `city Oslo`. */
export function pairs(values: object): string[] {
  return Object.entries(values).map(
    ([name, value]: [string, unknown]) => `${name} ${formatValue(value)}`,
  );
}
