import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram, type Program } from '../support/program.ts';

/** A definition whose resource is in a file of its own. */
const main = (
  more = '',
): string => `import { extendApi, field, resource, storeApi } from 'backlot/define';
import { fields } from './wishlists.ts';
export default extendApi(storeApi, {
  resources: { wishlists: resource({ singular: 'wishlist', fields }) },${more}
});
`;

const fields = (more = ''): string => `import { field } from 'backlot/define';
export const fields = { name: field.text(), ${more} };
`;

/** Starts a server that watches a definition in a folder of its own. */
async function watching(...flags: string[]) {
  const path = mkdtempSync(join(tmpdir(), 'backlot-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text);
  write('backlot.config.ts', main());
  write('wishlists.ts', fields());
  const config = join(path, 'backlot.config.ts');
  const program = await startProgram('--watch', '--quiet', '--config', config, ...flags);
  return { ...program, path, write };
}

const ada = { 'x-backlot-session': 'ada' };

async function opened({ printed }: Pick<Program, 'printed'>, times: number): Promise<string> {
  await expect.poll(() => printed().match(/Opened the definition anew/g)?.length).toBe(times);
  return printed().trim().split('\n').at(-1) ?? '';
}

test('--watch opens a changed definition anew, also one of its imports, and data that fit it stay', async () => {
  const program = await watching();
  const { call, write } = program;
  await call('POST /api/wishlists/', { name: 'Shared' });
  await call('POST /api/wishlists/', { name: 'Own' }, ada);
  await call('POST /_backlot/snapshot', { name: 'one' }, ada);
  await call('PUT /_backlot/clock', { advance: 'P1D' }, ada);
  await call('PATCH /api/users/2', { email: 'eve@shop.test' }, ada);
  write('wishlists.ts', fields("colour: field.text({ default: 'red', filter: true })"));
  expect(await opened(program, 1)).toMatch(/anew in \d+ ms\. The data are kept\.$/);
  const item = { id: 1, name: 'Own', colour: 'red' };
  const list = await call('GET /api/wishlists/?criteria[colour]=red', undefined, ada);
  expect(list.body).toMatchObject({ total: 1, _embedded: { items: [item] } });
  expect(list.headers['x-backlot-notice']).toBeUndefined();
  expect((await call('GET /api/wishlists/1')).body).toMatchObject({ name: 'Shared' });
  expect((await call('GET /_backlot/clock', undefined, ada)).body.now).toContain('2026-03-03');
  write('backlot.config.ts', main("path: '/api/v1',"));
  await opened(program, 2);
  expect((await call('GET /api/v1/users/2', undefined, ada)).body).toMatchObject({
    email: 'eve@shop.test',
  });
  expect((await call('GET /api/wishlists/1')).status).toBe(404);
  await call('POST /_backlot/snapshot/one/restore', undefined, ada);
  expect((await call('GET /api/v1/users/2', undefined, ada)).body).toMatchObject({
    email: 'api@example.com',
  });
  const { paths } = (await call('GET /_backlot/openapi.json')).body;
  expect(paths['/api/v1/wishlists/'].post.requestBody).toBeDefined();
  expect(JSON.stringify(paths['/api/v1/wishlists/'])).toContain('colour');
});

test('--watch resets the sessions whose data do not fit a changed definition, and says why', async () => {
  const program = await watching();
  const { call, write } = program;
  await call('POST /api/wishlists/', { name: 'Own' }, ada);
  await call('PATCH /api/users/2', { email: 'eve@shop.test' }, { 'x-backlot-session': 'eve' });
  write('wishlists.ts', fields('colour: field.text()'));
  expect(await opened(program, 1)).toMatch(
    /1 session was reset: wishlists: record 1 \(id 1\) does not match the schema: colour: .*\.$/,
  );
  const reset = await call('GET /api/wishlists/', undefined, ada);
  expect(reset.headers['x-backlot-notice']).toMatch(
    /^Session ada was reset: wishlists: record 1 \(id 1\) does not match the schema: colour: /,
  );
  expect(reset.body.total).toBe(0);
  const kept = await call('GET /api/users/2', undefined, { 'x-backlot-session': 'eve' });
  expect(kept.body).toMatchObject({ email: 'eve@shop.test' });
  await call('POST /api/wishlists/', { name: 'Own', colour: 'red' });
  write('backlot.config.ts', main('fields: { users: { points: field.integer({ default: 1 }) } },'));
  expect(await opened(program, 2)).toContain('The data are kept.');
  write('wishlists.ts', fields());
  expect(await opened(program, 3)).toContain(
    'The shared back office was reset: Unrecognized field: "wishlists.colour".',
  );
  write(
    'backlot.config.ts',
    main("scenarios: { default: { data: { wishlists: [{ name: 'New' }] } } },"),
  );
  expect(await opened(program, 4)).toContain('the scenario default has changed');
  expect((await call('GET /api/wishlists/1')).body).toMatchObject({ name: 'New' });
});

test('--watch names the place of an error in a definition, and serves the former one', async () => {
  const program = await watching();
  const { call, write, path } = program;
  const fails = async (message: string): Promise<void> => {
    await expect.poll(program.warned).toContain(message);
    expect((await call('GET /api/wishlists/')).status).toBe(200);
  };
  write('wishlists.ts', 'export const fields = {\n  name: (;\n};\n');
  await fails('The former definition stays. Cannot read');
  expect(program.warned()).toContain('wishlists.ts:2)');
  write('wishlists.ts', "\nexport const fields = {\n  name: missing('x'),\n};\n");
  await fails('missing is not defined');
  expect(program.warned()).toContain(`${path.split('/').at(-1)}/wishlists.ts:3)`);
  write('wishlists.ts', fields("user: field.ref('people')"));
  await fails('resources.wishlists.fields.user');
  write('wishlists.ts', fields("user: field.ref('users', { optional: true })"));
  expect(await opened(program, 1)).toContain('The data are kept.');
});

test('a stream of events ends when another definition is opened, so that its client connects again', async () => {
  const program = await watching();
  const { body } = await fetch(`${program.url}/_backlot/events`);
  const reader = body!.getReader();
  program.write('wishlists.ts', fields('colour: field.text({ optional: true })'));
  let isDone = false;
  while (!isDone) isDone = (await reader.read()).done;
  expect(isDone).toBe(true);
});
