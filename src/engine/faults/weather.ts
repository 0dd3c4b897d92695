import { pseudoRandom } from '../lib/pseudo-random.ts';
import type { FaultRuleInput } from './fault-rule.ts';

/** Conditions that have a name: faults that come together. */
interface Weather {
  readonly text: string;
  /** Where its figures come from. */
  readonly source: string;
  readonly rules: readonly FaultRuleInput[];
}

const throttling = 'https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md';

/** The rows of named weather. Scenarios, the flag `--weather`, the header `Prefer` and the documents follow from them. */
export const weathers = {
  good: { text: 'No faults', source: 'none', rules: [] },
  train: {
    text: 'A phone in a train: slow, and now and then without a connection',
    source: `Round trips of 150 ms (slow 4G) and 2 s (slow 3G): ${throttling}. One lost request in 30 is an assumption`,
    rules: [
      { delay: { median: 300, p95: 2000 } },
      { connection: 'drop', probability: 0.02 },
      { connection: 'drop', after: true, probability: 0.015 },
    ],
  },
  'hotel-wifi': {
    text: 'A shared network: slow at times, and some responses end in the middle',
    source: `A round trip of 150 ms (slow 4G): ${throttling}. Times of 3 s and one response in 50 are assumptions`,
    rules: [{ delay: { median: 150, p95: 3000 } }, { corrupt: 'cut-off', probability: 0.02 }],
  },
  'black-friday': {
    text: 'A server at its limit: slow, 503 at times, and 429 for many requests',
    source:
      'Assumptions: four times the usual response time, one 503 in 50 requests, 120 requests per minute',
    rules: [
      { delay: { median: 800, p95: 4000 } },
      { status: 503, headers: { 'Retry-After': '5' }, probability: 0.02 },
      { limit: { requests: 120, per: 'PT1M' } },
    ],
  },
  'payment-outage': {
    text: 'The payment provider is down: each purchase waits, and gets a 503',
    source: 'An assumption: the provider answers nothing, and the shop gives up after 3 s',
    rules: [
      { match: { step: 'purchase' }, delay: 3000 },
      { match: { step: 'purchase' }, status: 503 },
    ],
  },
  deploying: {
    text: 'Ten servers are replaced one after another: one request in ten meets the one that stops',
    source:
      'One of ten servers at a time: half of its requests get 502 of the balancer, the others lose their connection',
    rules: [
      { status: 502, probability: 0.05 },
      { connection: 'drop', probability: 0.05 },
    ],
  },
} satisfies Readonly<Record<string, Weather>>;

export type WeatherName = keyof typeof weathers;

export const weatherNames = Object.keys(weathers) as [WeatherName, ...WeatherName[]];

/** Returns the rules of a weather, in their order. */
export function weatherRules(name: WeatherName | undefined): readonly FaultRuleInput[] {
  return name === undefined ? [] : weathers[name].rules;
}

/** Returns the rules that apply to one request. @param seed the same seed has the same outcome */
export function drawWeather(name: WeatherName, seed: string): readonly FaultRuleInput[] {
  return weatherRules(name).filter(
    ({ probability, limit }, at) =>
      limit === undefined &&
      (probability === undefined || pseudoRandom(`${seed} ${name} ${at}`)() < probability),
  );
}
