/** The files that `init` writes. Each is an example to change, so it says as little as possible. */

/** @param apiPath where clients find the API, if not at `/api` */
export function configText(apiPath: string | undefined): string {
  const path = apiPath === undefined ? "// path: '/api/v1'" : `path: '${apiPath}'`;
  return `import { extendApi, storeApi } from 'backlot/define';

// What your shop has beside the store API: fields, resources, rules, steps, faults, scenarios.
// https://github.com/backlot-dev/backlot/blob/main/docs/your-shop.md
export default extendApi(storeApi, {
  ${path},
});
`;
}

const title = "'a declined card leaves the order unpaid'";

export function vitestTest(config: string): string {
  return `import { createTest } from 'backlot/vitest';
import { expect } from 'vitest';
import api from '${config}';

const test = createTest({ api });

test(${title}, async ({ office }) => {
  office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id } = office.given.anOrder({ at: 'completed' });
  const response = await fetch(\`https://shop.test\${api.path}/orders/\${id}\`);
  expect(await response.json()).toMatchObject({ payments: [{ state: 'failed' }] });
  expect(office).toHaveReceived('GET /api/orders/:order_id/', { times: 1, status: 200 });
});
`;
}

export function jestTest(config: string): string {
  return `import 'backlot/jest';
import { createBackOffice } from 'backlot/node';
import api from '${config}';

const office = createBackOffice({ api });
beforeAll(() => office.listen());
beforeEach(() => office.reset());
afterAll(() => office.close());

test(${title}, async () => {
  office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id } = office.given.anOrder({ at: 'completed' });
  const response = await fetch(\`https://shop.test\${api.path}/orders/\${id}\`);
  expect(await response.json()).toMatchObject({ payments: [{ state: 'failed' }] });
  expect(office).toHaveReceived('GET /api/orders/:order_id/', { times: 1, status: 200 });
});
`;
}

/** @param test a pattern for the file of the test */
export function jestConfig(test: string): string {
  return `// Jest loads ES modules with NODE_OPTIONS=--experimental-vm-modules.
export default { testMatch: ['${test}'], transform: {} };
`;
}

export function nodeTest(config: string): string {
  return `import { createBackOffice, toHaveReceived } from 'backlot/node';
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import api from '${config}';

const office = createBackOffice({ api });
before(() => office.listen());
beforeEach(() => office.reset());
after(() => office.close());

test(${title}, async () => {
  office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id } = office.given.anOrder({ at: 'completed' });
  const response = await fetch(\`https://shop.test\${api.path}/orders/\${id}\`);
  const { payments } = await response.json();
  assert.equal(payments[0].state, 'failed');
  toHaveReceived(office, 'GET /api/orders/:order_id/', { times: 1, status: 200 });
});
`;
}

const server = 'http://127.0.0.1:4400';

/** @param test a pattern for the file of the test */
export function playwrightConfig(test: string, isTypeScript: boolean): string {
  const types = isTypeScript
    ? "import type { OfficeFixtures, ServerFixtures } from 'backlot/playwright';\n"
    : '';
  return `import { defineConfig } from '@playwright/test';
${types}
export default defineConfig${isTypeScript ? '<OfficeFixtures, ServerFixtures>' : ''}({
  testMatch: '${test}',
  use: { backlotURL: '${server}' },
  webServer: {
    command: 'npx backlot --port 4400 --sessions required --quiet',
    url: '${server}/_backlot/health',
  },
});
`;
}

export function playwrightTest(apiPath: string): string {
  return `import { expect, test } from 'backlot/playwright';

test(${title}, async ({ office, request, backlotURL }) => {
  await office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id } = await office.given.anOrder({ at: 'completed' });
  const response = await request.get(\`\${backlotURL}${apiPath}/orders/\${id}\`);
  expect(await response.json()).toMatchObject({ payments: [{ state: 'failed' }] });
  await expect(office).toHaveReceived('GET /api/orders/:order_id/', { times: 1, status: 200 });
});
`;
}

export function nextRoute(config: string): string {
  return `import { createFetchHandler } from 'backlot/fetch';
import api from '${config}';

const mock = createFetchHandler({ api, basePath: '/mock' });

export { mock as DELETE, mock as GET, mock as PATCH, mock as POST, mock as PUT };
`;
}

export function mocks(config: string): string {
  return `import { startWorker } from 'backlot/browser';
import api from '${config}';

/** Opens the shop of this page, which keeps its state between reloads. Call it before the app renders. */
export const startMocks = () => startWorker({ api, keep: true });
`;
}
