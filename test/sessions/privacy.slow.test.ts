import { storeApi } from '../../src/shop/store-api.ts';
import { expect, test } from 'vitest';
import { countServer } from '../../src/cli/coverage.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import { contract } from '../../src/shop/resources/index.ts';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

function openDemo(options: Parameters<typeof openServer>[0] = {}) {
  let visitors = 0;
  return openServer({ sessions: 'own', newName: () => `visitor-${++visitors}`, ...options });
}

test('what a visitor of a demo copies or exports does not name the session, which is the cookie', () => {
  const { call } = openDemo({ history: true });
  const secret = '0b6e4f0b-cafe';
  for (const headers of [
    { cookie: `backlot-session=${secret}` },
    { 'x-backlot-session': secret },
  ]) {
    call('POST /api/orders/', cart, headers);
    call('GET /_backlot/journal?view=summary', undefined, headers);
  }
  const paths = ['journal/1/as', 'journal/2/as?format=fetch', 'journal/2/as', 'export'];
  const formats = ['har', 'vitest', 'scenario'].map((format) => `journal/export?as=${format}`);
  const texts = [...paths, ...formats].map((path) =>
    JSON.stringify(call(`GET /s/${secret}/_backlot/${path}`).body),
  );
  for (const text of texts) expect(text).not.toContain(secret);
  expect(texts[0]).toContain(
    'The session is not named, because whoever knows its name can use it.',
  );
});

/** Every text that a request can carry has this mark. */
const marked = 'ZQMARKZQ';

test('no endpoint shows a visitor of a demo what another one has sent', async () => {
  const { recorder: coverage, report: coverageReport } = countServer(
    undefined,
    undefined,
    () => storeApi,
  );
  const { call } = openDemo({ history: true, coverage, coverageReport });
  const json = {
    cookie: `backlot-session=${marked}`,
    referer: marked,
    origin: marked,
    [`x-${marked}`]: marked,
  };
  const everywhere = `${marked}?${marked}=${marked}`;
  for (const line of [
    `GET /api/${everywhere}`,
    `GET /api/users/${everywhere}`,
    `${marked} /api/users/1`,
    `GET /_backlot/${everywhere}`,
    `GET /oauth/v2/token?client_id=${marked}&grant_type=${marked}`,
    `GET /s/${marked}/api/users/?criteria[email]=${marked}`,
    `GET /_backlot/begin?scenario=${marked}&to=${marked}`,
    `GET /_backlot/begin?snapshot=${marked}`,
  ])
    call(line, undefined, json);
  for (const [line, body] of [
    ['PATCH /api/users/1', { firstName: marked, [marked]: marked }],
    ['POST /api/products/', { name: marked, description: marked, price: 1 }],
    [
      'POST /_backlot/faults',
      { status: 503, reason: marked, body: marked, match: { path: marked } },
    ],
    ['POST /_backlot/faults', { status: 503, body: marked, match: { step: 'purchase' } }],
    ['POST /_backlot/faults', { hold: marked }],
    ['POST /_backlot/script', { on: 'purchase', refuse: { message: marked } }],
    ['POST /_backlot/snapshot', { name: marked }],
    ['POST /_backlot/snapshot', { name: marked, publish: true }],
    ['POST /_backlot/reset', { scenario: marked }],
    ['POST /_backlot/import', { format: marked }],
    ['POST /_backlot/sessions', { name: marked }],
    ['PATCH /_backlot/tables/users/2', { first_name: marked }],
    ['POST /api/orders/', `{${marked}`],
  ] as const)
    call(line, body, { ...json, prefer: `status=503, ${marked}=${marked}` });
  expect(JSON.stringify(call('GET /_backlot/journal', undefined, json).body)).toContain(marked);
  const rows: readonly { readonly method: string; readonly path: string }[] = [
    ...controlEndpoints(storeApi),
    ...contract,
  ];
  for (const { method, path } of rows) {
    const url = path.replaceAll(/:\w+/g, '1');
    for (const query of ['', '?as=har', '?since=0', `?session=visitor-1`]) {
      const { status, body, headers } = call(`${method} ${url}${query}`, undefined, {
        cookie: 'backlot-session=other',
      });
      expect(`${method} ${url}${query} ${JSON.stringify([body, headers])}`).not.toContain(marked);
      expect(status).not.toBe(500);
    }
  }
});
