import { storeApi } from '../../src/shop/store-api.ts';
import { Metrics } from '../../src/engine/sessions/metrics.ts';
import { median, type Figure } from './report.ts';

const requests = Array.from({ length: 100 }, (_, at) => `/api/orders/${at + 1}`);

/** The time that a request takes to be counted, the two readings of the clock included. */
export function metricsFigures(): Figure[] {
  const metrics = new Metrics(storeApi);
  const rounds = Array.from({ length: 20 }, () => {
    const start = performance.now();
    for (let time = 0; time < 500; time++)
      for (const path of requests) {
        const before = performance.now();
        metrics.count('GET', path, 200, performance.now() - before);
      }
    return ((performance.now() - start) / (500 * requests.length)) * 1000;
  });
  return [
    {
      name: 'count a request in the metrics',
      value: median(rounds.slice(5)),
      unit: 'µs',
      limit: 1,
    },
  ];
}
