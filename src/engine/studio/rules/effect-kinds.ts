import { computed, type ReadonlySignal } from '@preact/signals';
import { apiPages } from '../api-pages.ts';
import { openApi } from '../interface.ts';
import type { OpenApi, Schema } from '../openapi.ts';
import type { EffectKind } from './effect.ts';

/** The effects that rules of every API can have, the most common first. */
const builtIn: readonly EffectKind[] = [
  {
    name: 'status',
    label: 'respond with a status',
    kind: 'fault',
    fields: [
      { name: 'status', label: 'Status', initial: '503' },
      { name: 'body', label: 'Body', initial: '', isOptional: true, hint: 'of the status' },
    ],
  },
  {
    name: 'delay',
    label: 'delay the response',
    kind: 'fault',
    fields: [{ name: 'delay', label: 'Milliseconds', initial: '2000', hint: '500-3000' }],
  },
  {
    name: 'refuse',
    label: 'reject the step',
    kind: 'script',
    fields: [
      { name: 'message', label: 'Message', initial: 'This value is not valid.' },
      { name: 'path', label: 'Field', initial: '', isOptional: true, hint: 'the form itself' },
    ],
  },
  {
    name: 'drop',
    label: 'drop the connection',
    kind: 'fault',
    fields: [],
  },
  {
    name: 'corrupt',
    label: 'corrupt the JSON',
    kind: 'fault',
    fields: [
      { name: 'corrupt', label: 'How', initial: 'malformed', values: ['malformed', 'cut-off'] },
    ],
  },
  {
    name: 'hold',
    label: 'hold the response',
    kind: 'fault',
    fields: [{ name: 'hold', label: 'Name that releases it', initial: 'held' }],
  },
  {
    name: 'limit',
    label: 'limit the rate',
    kind: 'fault',
    fields: [
      { name: 'requests', label: 'Requests', initial: '10' },
      { name: 'per', label: 'Per', initial: 'PT1M' },
    ],
  },
];

/** All effects: those of the script of the API after the most common ones, and its own kinds of fault at the end. */
export const effectKinds: ReadonlySignal<readonly EffectKind[]> = computed(() => [
  ...builtIn.slice(0, 2),
  ...apiPages().rules.effects,
  ...builtIn.slice(2),
  ...ownKinds(openApi.value),
]);

/** What a fault may have beside its kinds, and the kinds that have an entry above. */
const others = [
  'id',
  'match',
  'first',
  'every',
  'probability',
  'after',
  'off',
  'headers',
  'connection',
];
const known = new Set(
  builtIn.flatMap(({ name, fields }) => [name, ...fields.map((one) => one.name)]).concat(others),
);

/** Returns the other kinds of fault of the API, from its document: those of extensions. */
function ownKinds(document: OpenApi | undefined): EffectKind[] {
  const { properties = {} } = document?.components.schemas['AddFaultBody'] ?? {};
  return Object.entries(properties)
    .filter(([name]) => !known.has(name))
    .map(([name, { type, enum: values, minimum, description = name }]) => {
      const isFlag = type === 'boolean';
      const choices = isFlag ? ['true'] : values?.map(String);
      const field = { name, label: name, initial: choices?.[0] ?? initialOf(type, minimum) };
      return {
        name,
        label: description,
        kind: 'fault',
        fields: [{ ...field, ...(choices !== undefined && { values: choices }) }],
        type: String(type),
      };
    });
}

function initialOf(type: Schema['type'], minimum = 1): string {
  return type === 'integer' || type === 'number' ? String(minimum) : '';
}
