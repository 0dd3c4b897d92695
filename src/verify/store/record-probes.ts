import type { JsonRecord } from '../../engine/definition/workflow.ts';
import type { ServerCheck } from '../../engine/definition/drift.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { customerOf } from '../../shop/workflows/steps.ts';
import { reportDifferences } from '../drift/finding.ts';
import { inParallel } from '../drift/in-parallel.ts';
import { jsonRequest } from '../drift/json-request.ts';

/** What is sent to a collection and a record of it. */
interface Resource {
  readonly path: string;
  readonly body: JsonRecord;
  readonly put: JsonRecord;
  readonly patch: JsonRecord;
  /** Is rejected after the others. */
  readonly invalid: JsonRecord;
}

function resourcesOf(tag: string): readonly Resource[] {
  return [
    {
      path: '/api/users/',
      body: { ...customerOf(`User-${tag}@example.com`), enabled: false },
      put: {
        firstName: 'Ada',
        lastName: 'Novak',
        email: `Put-${tag}@example.com`,
        enabled: true,
      },
      patch: { email: `patch-${tag}@example.com` },
      invalid: { firstName: 'A', lastName: '', email: 'none' },
    },
    {
      path: '/api/products/',
      body: {
        name: `Enamel cup ${tag}`,
        description: 'A cup for the trail.',
        price: 1490,
        shortDescription: 'A cup.',
        sku: `CUP-${tag}`,
      },
      put: {
        name: `Tin cup ${tag}`,
        description: 'Another cup.',
        price: 990,
        shortDescription: 'Tin.',
      },
      patch: { description: 'A third cup.' },
      invalid: { price: -1 },
    },
    {
      path: '/api/channels/',
      body: { code: `c-${tag}`, color: 'orange', name: 'A channel', type: 'mobile' },
      put: { code: `p-${tag}`, color: 'green' },
      patch: { enabled: false },
      invalid: { code: `p-${tag}`, color: 'x', currencies: [999_999_999] },
    },
    {
      path: '/api/stock-locations/',
      body: { code: `s-${tag}`, name: 'Shelf', enabled: false },
      put: { code: `t-${tag}`, name: 'Rack', enabled: true },
      patch: { name: 'Box' },
      invalid: { code: `t-${tag}`, address: { city: 'Galway' } },
    },
  ];
}

/** Creates, reads, changes and deletes a record of each kind, and compares the responses with those of a back office. */
export async function checkRecords(check: ServerCheck): Promise<void> {
  const resources = resourcesOf(check.tag).filter(({ path }) => check.includes(path));
  await inParallel(resources, (resource) => checkLife(check, resource));
}

async function checkLife(
  check: ServerCheck,
  { path, body, put, patch, invalid }: Resource,
): Promise<void> {
  const sent = new Set<unknown>([
    true,
    false,
    ...[body, put, patch].flatMap((one) => Object.values(one)),
  ]);
  /** Those of the record, on the server and in the back office. */
  let ids: readonly [unknown, unknown] = ['', ''];
  const ask = async (method: string, content?: JsonRecord): Promise<void> => {
    const request = jsonRequest(method, `${path}${String(ids[0])}`, content);
    const wanted = check.expected(jsonRequest(method, `${path}${String(ids[1])}`, content));
    const seen = await check.ask(request);
    if (method === 'POST') ids = [valueAt(seen.json, ['id']), valueAt(wanted.json, ['id'])];
    if (!check.expectStatus(request, seen, wanted.status, 'as a back office responds')) return;
    const isError = wanted.status === 400;
    const isCompared = (value: unknown): boolean => isError || sent.has(value);
    const report = check.reporter(request);
    const kind = isError ? 'error' : 'value';
    reportDifferences(
      wanted.json,
      seen.json,
      (_, ...difference) => report(kind, ...difference),
      isCompared,
    );
  };
  await ask('POST', body);
  if (ids[0] === undefined) return;
  await ask('GET');
  await ask('PUT', put);
  await ask('GET');
  await ask('PATCH', patch);
  await ask('GET');
  await ask('PUT', {});
  await ask('PATCH', { [Object.keys(put)[0] ?? 'name']: '' });
  await check.askForError(jsonRequest('POST', path, invalid));
  await ask('DELETE');
  await ask('GET');
  await ask('DELETE');
}
