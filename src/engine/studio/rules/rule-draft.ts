import { apiPages } from '../api-pages.ts';
import type { EffectKind } from './effect.ts';
import { effectKinds } from './effect-kinds.ts';
import { numberOf } from './typed.ts';

/** How often a rule applies; which of these a rule may have depends on its kind. */
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

/** What the editor of a rule has been filled with. */
export interface RuleDraft {
  readonly effect: string;
  /** `PUT /api/users/:id`, `/api/users`; empty for every endpoint. */
  readonly endpoint: string;
  /** A step, or a transition: `order.cancel`. Empty for every step. */
  readonly step: string;
  readonly session: string;
  /** Conditions: `id=3 address.city=Oslo`. */
  readonly where: string;
  readonly frequency: string;
  readonly count: string;
  /** Whether the writes of the request are kept although its response is replaced. */
  readonly after: boolean;
  readonly values: Readonly<Record<string, string>>;
}

/** Returns an editor's contents before anything is chosen. */
export function newDraft(given: Partial<RuleDraft> = {}): RuleDraft {
  return {
    effect: 'status',
    endpoint: '',
    step: '',
    session: '',
    where: '',
    frequency: 'always',
    count: '1',
    after: false,
    values: {},
    ...given,
  };
}

export function effectOf(draft: RuleDraft): EffectKind {
  return effectKinds.value.find(({ name }) => name === draft.effect) ?? effectKinds.value[0]!;
}

export type RuleInput =
  | { readonly fault: object; readonly script?: never }
  | { readonly script: object; readonly fault?: never };

/** Returns the rule of a draft as the control API takes it. */
export function ruleOf(draft: RuleDraft): RuleInput {
  const { kind, ruleOf: effect } = effectOf(draft);
  const own = effect((name) => valueOf(draft, name));
  return kind === 'fault' ? { fault: faultOf(draft, own) } : { script: scriptOf(draft, own) };
}

function faultOf(draft: RuleDraft, effect: object): object {
  const { method, path } = endpointOf(draft.endpoint);
  const parameters = conditions(draft.where);
  const match = {
    ...defined({ method, path, step: draft.step, session: draft.session }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
  return {
    match,
    ...frequencyOf(draft),
    ...effect,
    ...(draft.after && effectOf(draft).allowsAfter && { after: true }),
  };
}

function scriptOf(draft: RuleDraft, effect: object): object {
  const { step = stepOf(draft) } = effectOf(draft);
  return {
    on: step,
    match: numbers(conditions(draft.where)),
    ...frequencyOf(draft),
    ...effect,
  };
}

/** The step of a rule of the script, which every such rule has. */
export function stepOf({ step }: RuleDraft): string {
  return step === '' ? apiPages().rules.step : step;
}

/** Returns the value of a field of the effect: what was entered, or its initial value. */
export function valueOf(draft: RuleDraft, name: string): string {
  const field = effectOf(draft).fields.find((one) => one.name === name);
  return draft.values[name] ?? field?.initial ?? '';
}

function frequencyOf({ frequency, count }: RuleDraft): object {
  if (frequency === 'always') return {};
  return { [frequency]: frequency === 'probability' ? numberOf(count) / 100 : numberOf(count) };
}

/** Splits `PUT /api/orders` into its method and path; each may be missing. */
function endpointOf(text: string): { readonly method: string; readonly path: string } {
  const [, method = '', path = ''] = /^\s*([A-Za-z]*)\s*(\S*)\s*$/.exec(text) ?? ['', '', text];
  return { method: method.toUpperCase(), path: withColons(path) };
}

/** Writes `/api/orders/{order_id}` as `/api/orders/:order_id`. */
export function withColons(path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, ':$1');
}

/** Reads `order_id=3 name="Ada Novak"`. */
export function conditions(text: string): Record<string, string> {
  const found = text.matchAll(/([^\s=]+)=("[^"]*"|\S*)/g);
  return Object.fromEntries(
    Array.from(found, ([, name = '', value = '']) => [name, value.replaceAll('"', '')]),
  );
}

/** The script compares ids and amounts as numbers. */
function numbers(match: Readonly<Record<string, string>>): object {
  const { texts } = apiPages().rules;
  return Object.fromEntries(
    Object.entries(match).map(([name, value]) => [
      name,
      texts.includes(name) ? value : numberOf(value),
    ]),
  );
}

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}
