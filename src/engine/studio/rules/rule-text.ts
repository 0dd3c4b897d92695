import { formatValue } from '../format.ts';

/** A fault or a rule of the script, as the control API lists it. */
export interface ListedRule {
  readonly id: number;
  readonly match: Readonly<Record<string, unknown>>;
  readonly matched: number;
  readonly on?: string;
  readonly first?: number;
  readonly every?: number;
  readonly nth?: number;
  readonly probability?: number;
  readonly off?: true;
  readonly [effect: string]: unknown;
}

/** A rule as a sentence: when … then …, how often. */
export interface RuleText {
  readonly when: string;
  readonly effect: string;
  readonly often: string;
}

const notEffects = new Set(
  'id match matched on first every nth probability window released after body headers off'.split(
    ' ',
  ),
);

export function ruleText(rule: ListedRule): RuleText {
  const { method, path, step, session, parameters, ...rest } = rule.match;
  const when = [
    `${formatValue(method ?? '')} ${formatValue(path ?? '')}`.trim(),
    step === undefined ? '' : `step ${formatValue(step)}`,
    rule.on ?? '',
    session === undefined ? '' : `session ${formatValue(session)}`,
    ...pairs({ ...(parameters as object), ...rest }),
  ].filter((one) => one !== '');
  const effects = Object.entries(rule).filter(([name]) => !notEffects.has(name));
  return {
    when: when.length === 0 ? 'every request' : when.join(' · '),
    effect: effects.map(([name, value]) => effectText(name, value)).join(', '),
    often: [frequencyText(rule), rule['after'] === true ? 'writes are kept' : '']
      .filter((one) => one !== '')
      .join(', '),
  };
}

function effectText(name: string, value: unknown): string {
  switch (name) {
    case 'connection':
      return 'drop the connection';
    case 'corrupt':
      return value === 'cut-off' ? 'send half of the JSON' : 'send malformed JSON';
    case 'delay':
      return `delay ${typeof value === 'number' ? value : pairs(value as object).join(' ')} ms`;
    case 'hold':
      return `hold as ${formatValue(value)}`;
    case 'limit': {
      const { requests, per } = value as { readonly requests: number; readonly per: string };
      return `${requests} requests per ${per}, then 429`;
    }
    case 'refuse': {
      const { message, path } = value as { readonly message: string; readonly path?: string[] };
      return `reject ${path === undefined ? '' : `${path.join('.')} `}“${message}”`;
    }
    case 'settle': {
      const { after, outcome } = value as { readonly after: string; readonly outcome: string };
      return `${outcome} after ${after}`;
    }
    default:
      return name === 'outcome' ? formatValue(value) : `${name} ${formatValue(value)}`;
  }
}

function frequencyText({ first, every, nth, probability }: ListedRule): string {
  if (first !== undefined) return first === 1 ? 'only once' : `only the first ${first}`;
  if (every !== undefined) return `one in ${every}`;
  if (nth !== undefined) return `only match number ${nth}`;
  return probability === undefined ? '' : `${Math.round(probability * 100)} %`;
}

function pairs(values: object): string[] {
  return Object.entries(values).map(
    ([name, value]: [string, unknown]) => `${name} ${formatValue(value)}`,
  );
}
