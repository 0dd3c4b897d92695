import { formatValue } from '../format.ts';
import { effectKinds, filled, pairs } from './effect-kinds.ts';
import type { Studio } from '../studio.ts';

/** A fault or a rule of the script, as the control API lists it. */
export interface ListedRule {
  readonly id: number;
  readonly match: { readonly parameters?: object; readonly [condition: string]: unknown };
  readonly matched: number;
  readonly on?: string;
  readonly first?: number;
  readonly every?: number;
  readonly nth?: number;
  readonly probability?: number;
  readonly off?: true;
  readonly [effect: string]: unknown;
}

const notEffects = new Set(
  'id match matched on first every nth probability window released after body headers off'.split(
    ' ',
  ),
);

/** Returns a rule as a sentence: when … then …, how often. */
export function ruleText(studio: Studio, rule: ListedRule) {
  const { method, path, step, session, parameters, ...rest } = rule.match;
  const when = [
    `${formatValue(method ?? '')} ${formatValue(path ?? '')}`.trim(),
    step === undefined ? '' : `step ${formatValue(step)}`,
    rule.on ?? '',
    session === undefined ? '' : `session ${formatValue(session)}`,
    ...pairs({ ...parameters, ...rest }),
  ].filter((one) => one !== '');
  const effects = Object.entries(rule).filter(([name]) => !notEffects.has(name));
  return {
    when: when.length === 0 ? 'every request' : when.join(' · '),
    effect: effects.map(([name, value]) => effectText(studio, name, value)).join(', '),
    often: [frequencyText(rule), afterText(rule['after'])].filter((one) => one !== '').join(', '),
  };
}

function afterText(after: unknown): string {
  if (after === undefined) return '';
  return after === true ? 'writes are kept' : 'writes are rolled back';
}

function effectText(studio: Studio, name: string, value: unknown): string {
  const text = effectKinds(studio)
    .map(({ texts }) => texts[name])
    .find((one) => one !== undefined);
  return text === undefined ? `${name} ${formatValue(value)}` : filled(text, value);
}

function frequencyText({ first, every, nth, probability }: ListedRule): string {
  if (first !== undefined) return first === 1 ? 'only once' : `only the first ${first}`;
  if (every !== undefined) return `one in ${every}`;
  if (nth !== undefined) return `only match number ${nth}`;
  return probability === undefined ? '' : `${Math.round(probability * 100)} %`;
}
