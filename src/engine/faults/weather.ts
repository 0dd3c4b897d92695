import { pseudoRandom } from '../lib/pseudo-random.ts';
import type { FaultRuleInput } from './fault-rule.ts';

/** The rules of named weather. Scenarios, the flag `--weather` and the header `Prefer` follow from them. */
export const weathers = {
  good: [],
  train: [
    { delay: { median: 300, p95: 2000 } },
    { connection: 'drop', probability: 0.02 },
    { connection: 'drop', after: true, probability: 0.015 },
  ],
  'hotel-wifi': [{ delay: { median: 150, p95: 3000 } }, { corrupt: 'cut-off', probability: 0.02 }],
  'black-friday': [
    { delay: { median: 800, p95: 4000 } },
    { status: 503, headers: { 'Retry-After': '5' }, probability: 0.02 },
    { limit: { requests: 120, per: 'PT1M' } },
  ],
  'payment-outage': [
    { match: { step: 'purchase' }, delay: 3000 },
    { match: { step: 'purchase' }, status: 503 },
  ],
  deploying: [
    { status: 502, probability: 0.05 },
    { connection: 'drop', probability: 0.05 },
  ],
} satisfies Readonly<Record<string, readonly FaultRuleInput[]>>;

export type WeatherName = keyof typeof weathers;

export const weatherNames = Object.keys(weathers) as [WeatherName, ...WeatherName[]];

/** Returns the rules of a weather, in their order. */
export function weatherRules(name: WeatherName | undefined): readonly FaultRuleInput[] {
  return name === undefined ? [] : weathers[name];
}

/** Returns a step that a weather is about and an API does not have. */
export function missingStep(
  name: WeatherName | undefined,
  steps: readonly { readonly name: string }[],
): string | undefined {
  const wanted = weatherRules(name).flatMap(({ match }) => match?.step ?? []);
  return wanted.find((step) => !steps.some((one) => one.name === step));
}

/** Returns the rules that apply to one request. @param seed the same seed has the same outcome */
export function drawWeather(name: WeatherName, seed: string): readonly FaultRuleInput[] {
  return weatherRules(name).filter(
    ({ probability, limit }, at) =>
      limit === undefined &&
      (probability === undefined || pseudoRandom(`${seed} ${name} ${at}`)() < probability),
  );
}
