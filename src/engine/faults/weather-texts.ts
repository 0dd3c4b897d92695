import type { WeatherName } from './weather.ts';

const throttling = 'https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md';

/** What named weather is, and where its figures come from, for documents. */
export const weatherTexts: Readonly<
  Record<WeatherName, { readonly text: string; readonly source: string }>
> = {
  good: { text: 'No faults', source: 'none' },
  train: {
    text: 'A phone in a train: slow, and now and then without a connection',
    source: `Round trips of 150 ms (slow 4G) and 2 s (slow 3G): ${throttling}. One lost request in 30 is an assumption`,
  },
  'hotel-wifi': {
    text: 'A shared network: slow at times, and some responses end in the middle',
    source: `A round trip of 150 ms (slow 4G): ${throttling}. Times of 3 s and one response in 50 are assumptions`,
  },
  'black-friday': {
    text: 'A server at its limit: slow, 503 at times, and 429 for many requests',
    source:
      'Assumptions: four times the usual response time, one 503 in 50 requests, 120 requests per minute',
  },
  'payment-outage': {
    text: 'The payment provider is down: each purchase waits, and gets a 503',
    source: 'An assumption: the provider answers nothing, and the shop gives up after 3 s',
  },
  deploying: {
    text: 'Ten servers are replaced one after another: one request in ten meets the one that stops',
    source:
      'One of ten servers at a time: half of its requests get 502 of the balancer, the others lose their connection',
  },
};
