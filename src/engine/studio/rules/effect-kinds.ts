import { computed, type ReadonlySignal } from '@preact/signals';
import { apiPages } from '../api-pages.ts';
import { formatValue } from '../format.ts';
import { openApi } from '../calls.ts';
import type { OpenApi, Schema } from '../openapi.ts';
import type { EffectKind } from './effect.ts';
import { typed } from './typed.ts';

const refusal: EffectKind = {
  name: 'refuse',
  label: 'reject the step',
  kind: 'script',
  fields: [
    { name: 'message', label: 'Message', initial: 'This value is not valid.' },
    { name: 'path', label: 'Field', initial: '', isOptional: true, hint: 'the form itself' },
  ],
  ruleOf(valueOf) {
    const path = valueOf('path');
    return {
      refuse: { message: valueOf('message'), ...(path !== '' && { path: path.split('.') }) },
    };
  },
  texts: {
    refuse(value) {
      const { message, path } = value as { readonly message: string; readonly path?: string[] };
      return `reject ${path === undefined ? '' : `${path.join('.')} `}“${message}”`;
    },
  },
};

/** All effects, the most common first: two kinds of fault, what the script can do, and the other kinds of fault. */
export const effectKinds: ReadonlySignal<readonly EffectKind[]> = computed(() => {
  const faults = openApi.value === undefined ? [] : faultKinds(openApi.value);
  return [...faults.slice(0, 2), ...apiPages().rules.effects, refusal, ...faults.slice(2)];
});

/** Returns the kinds of fault of an API, in the order of its document. */
function faultKinds({ components, 'x-backlot-faults': kinds }: OpenApi): EffectKind[] {
  const { properties = {} } = components.schemas['AddFaultBody'] ?? {};
  return Object.entries(properties).flatMap(([name, schema]) => {
    const kind = kinds[name];
    if (kind === undefined) return [];
    const { label, text, allowsAfter } = kind;
    const parts = schema.properties ?? properties;
    const fields = kind.fields.map((field) => ({ ...field, ...choicesOf(parts[field.name]) }));
    const ruleOf: EffectKind['ruleOf'] = (valueOf) => {
      if (schema.const !== undefined) return { [name]: schema.const };
      const values = fields.flatMap((field) => {
        const value = valueOf(field.name);
        if (field.isOptional === true && value.trim() === '') return [];
        return [[field.name, typed(value, parts[field.name])] as const];
      });
      const value = Object.fromEntries(values);
      return schema.properties === undefined ? value : { [name]: value };
    };
    const texts = text === undefined ? {} : { [name]: (value: unknown) => filled(text, value) };
    return [{ name, label, kind: 'fault', fields, allowsAfter, ruleOf, texts }];
  });
}

/** A flag is chosen from one value. */
function choicesOf({ type, enum: values }: Schema = {}): { readonly values?: readonly string[] } {
  const choices = type === 'boolean' ? ['true'] : values?.map(String);
  return choices === undefined ? {} : { values: choices };
}

/** Fills the value into `{}`, or its parts into `{requests}`. */
function filled(text: string | Readonly<Record<string, string>>, value: unknown): string {
  const chosen = typeof text === 'string' ? text : (text[String(value)] ?? '');
  const isWhole = typeof value !== 'object' || value === null;
  const parts: Record<string, unknown> = {
    '': isWhole ? value : pairs(value).join(' '),
    ...(isWhole ? {} : value),
  };
  return chosen.replaceAll(/\{(\w*)\}/g, (_, part: string) => formatValue(parts[part]));
}

/** Returns texts of values with their names: `city Oslo`. */
export function pairs(values: object): string[] {
  return Object.entries(values).map(
    ([name, value]: [string, unknown]) => `${name} ${formatValue(value)}`,
  );
}
