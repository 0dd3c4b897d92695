import { createBackOffice } from '../../src/adapters/node.ts';
import { Coverage } from '../../src/coverage/recorder.ts';
import { median, type Figure } from './report.ts';

const rounds = 15;
const testsPerRound = 40;

/** What contract coverage adds to the tests of a suite, in CPU time: set-up, six requests, and a page. */
export async function coverageFigures(): Promise<Figure[]> {
  const shares: number[] = [];
  const added: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const off = await cpuOf(() => runTests(undefined));
    const on = await cpuOf(() => runTests(new Coverage()));
    shares.push(((on - off) / off) * 100);
    added.push((on - off) / (testsPerRound * requestsPerTest));
  }
  return [
    { name: 'CPU that coverage adds to a request', value: median(added), unit: 'µs' },
    { name: 'of the time of in-process tests, without vitest', value: median(shares), unit: '%' },
  ];
}

const requestsPerTest = 7;

async function runTests(coverage: Coverage | undefined): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  for (let test = 0; test < testsPerRound; test++) {
    const office = createBackOffice({ coverage });
    const { id } = office.given.anOrder({ at: 'shipping' });
    const put = (body: object) =>
      office.fetch(`/api/checkouts/${id}`, { method: 'PUT', headers, body: JSON.stringify(body) });
    await office.fetch(`/api/checkouts/${id}`);
    await put({ paymentMethod: 99 });
    await put({ paymentMethod: 1 });
    await office.fetch(`/api/checkouts/${id}`, { method: 'PUT' });
    await office.fetch(`/api/orders/${id}/`);
    await office.fetch('/api/orders/?limit=20');
    await office.fetch('/api/nowhere');
  }
}

/** Returns the CPU time of this process for some work, in microseconds. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
