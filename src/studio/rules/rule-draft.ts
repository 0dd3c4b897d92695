import { effectKinds, fieldsOf, numberOf, typed, type EffectKind } from './effect-kinds.ts';
import type { Studio } from '../studio.ts';

/** Limits on how often a rule applies; which of these a rule may have depends on its kind. */
export const frequencies = {
  fault: ['always', 'first', 'every', 'probability'],
  script: ['always', 'first', 'nth'],
} as const;

export const frequencyLabels: Readonly<Record<string, string>> = {
  always: 'always',
  first: 'only the first …',
  every: 'one in …',
  probability: '… % of the time',
  nth: 'only the n-th …',
};

const noValues: Readonly<Record<string, string>> = {};

/** The first state of the editor of a rule. */
export const emptyDraft = {
  effect: 'status',
  /** `PUT /api/users/:id`, `/api/users`; empty for every endpoint. */
  endpoint: '',
  /** A step, or a transition: `order.cancel`. Empty for every step. */
  step: '',
  session: '',
  /** Parameters that a fault requires: `id=3 address.city=Oslo`. */
  where: '',
  /** Conditions of a rule of the script: `card=4242`. */
  order: '',
  frequency: 'always',
  count: '1',
  /** Whether the writes of the request are kept: `true` or `false`. Empty for what its effect does. */
  after: '',
  /** Of the fields of the effect. */
  values: noValues,
};

/** The state of the editor of a rule. */
export type RuleDraft = Readonly<typeof emptyDraft>;

export function effectOf(studio: Studio, draft: RuleDraft): EffectKind {
  return effectKinds(studio).find(({ name }) => name === draft.effect) ?? effectKinds(studio)[0]!;
}

/** Returns the rule of a draft as the control API takes it. */
export function ruleOf(studio: Studio, draft: RuleDraft): object {
  const {
    kind,
    step = stepOf(studio, draft),
    allowsAfter,
    keepsWrites,
    ruleOf: effect,
  } = effectOf(studio, draft);
  return {
    ...(kind === 'script' && { on: step }),
    match: matchOf(studio, draft, kind),
    ...frequencyOf(draft),
    ...effect((name) => valueOf(studio, draft, name)),
    ...(allowsAfter &&
      draft.after !== '' &&
      draft.after !== String(keepsWrites) && { after: draft.after === 'true' }),
  };
}

function matchOf(
  studio: Studio,
  { endpoint, where, order, step, session }: RuleDraft,
  kind: EffectKind['kind'],
): object {
  if (kind === 'script') return typedConditions(studio, conditions(order));
  const { method, path } = endpointOf(endpoint);
  const given = Object.entries({ method, path, step, session }).filter(([, value]) => value !== '');
  const parameters = conditions(where);
  return {
    ...Object.fromEntries(given),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
}

/** The step of a rule of the script, which every such rule has. */
export function stepOf(studio: Studio, { step }: RuleDraft): string {
  return step === '' ? studio.pages.value.rules.step : step;
}

/** Returns the value of a field of the effect: what was entered, or its initial value. */
export function valueOf(studio: Studio, draft: RuleDraft, name: string): string {
  const field = effectOf(studio, draft).fields.find((one) => one.name === name);
  return draft.values[name] ?? field?.initial ?? '';
}

function frequencyOf({ frequency, count }: RuleDraft): object {
  if (frequency === 'always') return {};
  return { [frequency]: frequency === 'probability' ? Number(count) / 100 : numberOf(count) };
}

/** Splits `PUT /api/orders` into its method and path; each may be missing. */
function endpointOf(text: string): { readonly method: string; readonly path: string } {
  const [, method = '', path = ''] = /^([A-Za-z]*)(?![A-Za-z])\s*(\S*)$/.exec(text.trim()) ?? [
    '',
    '',
    text,
  ];
  return { method: method.toUpperCase(), path: withColons(path) };
}

/** Writes `/api/orders/{order_id}` as `/api/orders/:order_id`. */
export function withColons(path: string): string {
  return path.replaceAll(/\{([^{}]+)\}/g, ':$1');
}

/** Reads `order_id=3 name="Ada Novak"`. */
export function conditions(text: string): Record<string, string> {
  const found = text.matchAll(/(?<![^\s=])([^\s=]+)=("[^"]*"|\S*)/g);
  return Object.fromEntries(
    Array.from(found, ([, name = '', value = '']) => [name, value.replaceAll('"', '')]),
  );
}

/** Returns the names among the parameters of a fault that only rules of the script know as conditions. */
export function scriptConditions(studio: Studio, { where }: RuleDraft): string[] {
  return Object.keys(conditions(where)).filter((name) => scriptMatch(studio)?.[name] !== undefined);
}

function scriptMatch(studio: Studio) {
  return (
    studio.client.openApi.value &&
    fieldsOf(studio.client.openApi.value, 'script')['match']?.properties
  );
}

/** The script compares ids and amounts as numbers. */
function typedConditions(studio: Studio, match: Readonly<Record<string, string>>): object {
  const known = scriptMatch(studio);
  return Object.fromEntries(
    Object.entries(match).map(([name, value]) => [name, typed(value, known?.[name])]),
  );
}
