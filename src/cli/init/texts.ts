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

/** The requests of a project's test to its API. */
export interface FirstRequest {
  readonly title: string;
  /** The path below that of the API: `/todos/`. */
  readonly path: string;
  /** Its name for `toHaveReceived`: `GET /api/todos/`. */
  readonly name: string;
  readonly status: number;
  /** Whether it reads an order of the store whose card was declined. */
  readonly isDeclined: boolean;
}

export const declinedOrder: FirstRequest = {
  title: 'a declined card leaves the order unpaid',
  path: '/orders/${id}',
  name: 'GET /api/orders/:order_id/',
  status: 200,
  isDeclined: true,
};

export function vitestTest(config: string, first: FirstRequest): string {
  return `import { createTest } from 'backlot/vitest';
import { expect } from 'vitest';
import api from '${config}';

const test = createTest({ api });

test('${first.title}', async ({ office }) => {
${linesOf(first, expectFailed)}
  expect(office).toHaveReceived(${receivedOf(first)});
});
`;
}

export function jestTest(config: string, first: FirstRequest): string {
  return `import 'backlot/jest';
import { createBackOffice } from 'backlot/node';
import api from '${config}';

const office = createBackOffice({ api });
beforeAll(() => office.listen());
beforeEach(() => office.reset());
afterAll(() => office.close());

test('${first.title}', async () => {
${linesOf(first, expectFailed)}
  expect(office).toHaveReceived(${receivedOf(first)});
});
`;
}

/** @param test a pattern for the file of the test */
export function jestConfig(test: string): string {
  return `// Jest loads ES modules with NODE_OPTIONS=--experimental-vm-modules.
export default { testMatch: ['${test}'], transform: {} };
`;
}

export function nodeTest(config: string, first: FirstRequest): string {
  const lines = linesOf(first, [
    'const { payments } = await response.json();',
    "assert.equal(payments[0].state, 'failed');",
  ]);
  return `import { createBackOffice, toHaveReceived } from 'backlot/node';
${first.isDeclined ? "import assert from 'node:assert/strict';\n" : ''}import { after, before, beforeEach, test } from 'node:test';
import api from '${config}';

const office = createBackOffice({ api });
before(() => office.listen());
beforeEach(() => office.reset());
after(() => office.close());

test('${first.title}', async () => {
${lines}
  toHaveReceived(office, ${receivedOf(first)});
});
`;
}

const expectFailed = [
  "expect(await response.json()).toMatchObject({ payments: [{ state: 'failed' }] });",
];

/** @param checks lines that check the `response` with a declined order */
function linesOf({ isDeclined, path }: FirstRequest, checks: readonly string[]): string {
  const call = `await fetch(\`https://shop.test\${api.path}${path}\`);`;
  const lines = isDeclined
    ? [
        "office.given.theScript({ on: 'purchase', outcome: 'declined' });",
        "const { id } = office.given.anOrder({ at: 'completed' });",
        `const response = ${call}`,
        ...checks,
      ]
    : [call];
  return lines.map((line) => `  ${line}`).join('\n');
}

function receivedOf({ name, status }: FirstRequest): string {
  return `'${name}', { times: 1, status: ${status} }`;
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

/** @param apiPath where clients find the API */
export function playwrightTest(apiPath: string, first: FirstRequest): string {
  const call = `await request.get(\`\${backlotURL}${apiPath}${first.path}\`);`;
  const lines = first.isDeclined
    ? [
        "await office.given.theScript({ on: 'purchase', outcome: 'declined' });",
        "const { id } = await office.given.anOrder({ at: 'completed' });",
        `const response = ${call}`,
        ...expectFailed,
      ]
    : [call];
  return `import { expect, test } from 'backlot/playwright';

test('${first.title}', async ({ office, request, backlotURL }) => {
${lines.map((line) => `  ${line}`).join('\n')}
  await expect(office).toHaveReceived(${receivedOf(first)});
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
