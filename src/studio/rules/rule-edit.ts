import { formatValue } from '../format.ts';
import { effectKinds } from './effect-kinds.ts';
import { effectOf, frequencies, emptyDraft, type RuleDraft } from './rule-draft.ts';
import type { ListedRule } from './rule-text.ts';
import type { Studio } from '../studio.ts';

/** A rule that is edited in its place. */
export interface EditedRule {
  /** `/_backlot/faults/1` */
  readonly path: string;
  /** `fault 1` */
  readonly name: string;
  readonly draft: RuleDraft;
}

/** Returns the state of the editor for a rule; undefined for one that has more than the editor can show. */
export function draftOf(studio: Studio, rule: ListedRule): RuleDraft | undefined {
  const { match, first, every, nth, probability, settle, ...own } = rule;
  if (own['headers'] !== undefined || rule.on?.includes('.')) return undefined;
  const names = effectKinds(studio).map(({ name }) => name);
  const effects = names.filter((name) => rule[name]);
  const [effect = ''] = effects;
  const { from, to, median, message, path: field, ...parts } = partsOf(rule[effect]);
  if (effects.length !== 1 || median !== undefined) return undefined;
  const { method = '', path = '', step = rule.on ?? '', session = '', parameters, ...rest } = match;
  const frequency = Object.entries({ first, every, nth, probability }).find(([, one]) => one);
  const given = {
    ...own,
    ...partsOf(settle),
    ...parts,
    message,
    ...(Array.isArray(field) && { path: field.join('.') }),
    ...(from !== undefined && { [effect]: `${formatValue(from)}-${formatValue(to)}` }),
  };
  const conditions = Object.entries({ ...partsOf(parameters), ...rest })
    .map(([name, value]) => `${name}=${conditionValue(formatValue(value))}`)
    .join(' ');
  const values = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, formatValue(value)] as const],
  );
  return {
    ...emptyDraft,
    effect,
    endpoint: `${formatValue(method)} ${formatValue(path)}`.trim(),
    step: formatValue(step),
    session: formatValue(session),
    [rule.on === undefined ? 'where' : 'order']: conditions,
    ...(frequency !== undefined && {
      frequency: frequency[0],
      count: String(Number(frequency[1]) * (probability === undefined ? 1 : 100)),
    }),
    after: formatValue(own['after'] ?? ''),
    values: Object.fromEntries(values),
  };
}

/** A frequency that rules of the other kind do not have becomes `always`. */
export function keptFrequency(
  studio: Studio,
  draft: RuleDraft,
  effect: string,
): Partial<RuleDraft> {
  const { kind } = effectOf(studio, { ...draft, effect });
  const known: readonly string[] = frequencies[kind];
  return known.includes(draft.frequency) ? {} : { frequency: 'always' };
}

/** Returns the value of a condition as `conditions` reads it. */
function conditionValue(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' ? { ...value } : {};
}
