import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, startServer } from '../support/command.ts';
import { sample } from '../support/runs.ts';

test.each(sample(['', '/api/v1', '/rest/V1'], 2))(
  'with --api-path %j, the store API is there',
  async (path) => {
    const { call, printed, url } = await startServer(
      '--quiet',
      '--base-path',
      '/demo',
      '--api-path',
      path,
    );
    expect(printed()).toContain(`/demo${path}/orders/?limit=1'`);
    const { body } = await call(`GET /demo/s/ada${path}/users/?limit=1`);
    expect(body._links.next.href).toBe(`/demo/s/ada${path}/users/?page=2&limit=1`);
    expect((await call(`GET ${body._links.next.href}`)).status).toBe(200);
    const made = await call(`POST /demo${path}/orders/`, { channel: 1, user: 1, currency: 'EUR' });
    expect(made.headers['location']).toBe(`/demo${path}/orders/${made.body.id}`);
    const health = await call('GET /demo/_backlot/health');
    expect(health.body).toMatchObject({ address: '/demo', api_path: path });
    const { paths } = (await call('GET /demo/_backlot/openapi.json')).body;
    expect(paths).toHaveProperty([`${path}/orders/{order_id}`]);
    expect(paths).toHaveProperty(['/_backlot/health']);
    expect((await fetch(`${url}/demo/`)).url).toBe(`${url}/demo/_backlot/`);
    if (path !== '') expect((await call('GET /demo/api/users/1')).status).toBe(404);
  },
);

test('a scenario file names paths as clients do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bug.json');
  const faults = [{ match: { path: '/v1/orders/:order_id' }, status: 503 }];
  writeFileSync(file, JSON.stringify({ name: 'bug', description: '', extends: 'default', faults }));
  const { call } = await startServer('--quiet', '--scenario', file, '--api-path', '/v1');
  expect((await call('GET /v1/orders/3')).status).toBe(503);
  expect((await call('GET /s/ada/v1/orders/3')).status).toBe(503);
});

test.each(sample(['api', '/api/', '//', '/_backlot'], 1))(
  '--api-path %s is rejected',
  async (path) => {
    const { code, err } = await runCommand('--api-path', path);
    expect(code).toBe(2);
    expect(err).toContain("--api-path must be a path like /api/v1, or '' for none");
  },
);

test('openapi prints the paths, and verify checks a server by them', async () => {
  const { out } = await runCommand('openapi', '--api-path', '/api/v1');
  expect(JSON.parse(out).paths).toHaveProperty(['/api/v1/orders/{order_id}']);
  const { url } = await startServer('--quiet', '--api-path', '/api/v1');
  const verified = await runCommand('verify', '--against', `${url}/api/v1`, '--only', 'channels');
  expect([verified.code, verified.err]).toEqual([0, '']);
});
