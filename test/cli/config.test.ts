import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { company } from '../support/company-api.ts';
import { conversation } from '../support/company-conversation.ts';
import { runCommand, runCommandIn, startServer } from '../support/command.ts';
import { extended, folder } from './definition-file.ts';
import { read } from '../support/tree.ts';

/** The definition as a user has it: with the package, and as the default export. */
const definition = readFileSync(join(import.meta.dirname, '../support/company-api.ts'), 'utf8')
  .replace("'../../src/define.ts'", "'backlot/define'")
  .replace('export const company =', 'export default');

test('a server with --config answers as a back office with the same definition', async () => {
  const { url, printed } = await startServer('--config', folder(definition).file);
  expect(printed()).toContain(`${url}/api/v1/`);
  const office = createBackOffice({ api: company });
  const expected = await conversation((path, init) => office.fetch(path, init));
  expect(await conversation((path, init) => fetch(`${url}${path}`, init))).toEqual(expected);
  const { paths } = await (await fetch(`${url}/_backlot/openapi.json`)).json();
  expect(paths).toHaveProperty('/api/v1/wishlists/');
});

test('the definition of the working directory is found, checked and described', async () => {
  const { path } = folder(definition);
  const checked = await runCommandIn(path, 'check');
  expect(checked).toMatchObject({ code: 0, err: '' });
  expect(checked.out).toBe(
    'backlot.config.ts: 72 endpoints, 7 of its own, and 14 scenarios are sound.\n',
  );
  const { paths } = JSON.parse((await runCommandIn(path, 'openapi')).out);
  expect(paths['/api/v1/wishlists/{id}/cart']?.post).toMatchObject({
    'x-backlot-extension': true,
    summary: 'Make a cart of a wishlist',
  });
  const moved = await runCommandIn(path, 'openapi', '--api-path', '/rest');
  expect(JSON.parse(moved.out).paths).toHaveProperty('/rest/wishlists/');
});

test('verify --config checks a server with the definition', async () => {
  const { file, path } = folder(definition);
  const { url } = await startServer('--quiet', '--config', file);
  const verified = await runCommandIn(
    path,
    'verify',
    '--against',
    url,
    '--only',
    'wishlists,users',
  );
  expect(verified).toMatchObject({ code: 0, err: '' });
  expect(verified.out).toContain(`${url}/api/v1 keeps the contract`);
  const other = await runCommand('verify', '--against', `${url}/api/v1`, '--only', 'users');
  expect(other.code).toBe(1);
  expect(other.out).toContain('loyalty_points');
});

test('schema prints the JSON Schema of scenario files, with what a definition adds', async () => {
  const { path } = folder(definition);
  const plain = await runCommand('schema');
  expect(JSON.parse(plain.out)).toEqual(JSON.parse(read('scenarios/scenario.schema.json')));
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse((await runCommandIn(path, 'schema')).out),
  );
  const isValid = (data: object): boolean => validate({ name: 'own', description: 'Own', data });
  const wishlist = { name: 'Own', user: 1, variants: [7] };
  expect(isValid({ wishlists: [wishlist] })).toBe(true);
  expect(isValid({ wishlists: [{ ...wishlist, user: 'x' }] })).toBe(false);
  expect(isValid({ wishlist: [] })).toBe(false);
});

test('check says once which inherited records scenarios leave out, and how to have others', async () => {
  const { file } = folder(
    extended(`
    resources: { notes: resource({ singular: 'note', fields: { order: field.ref('orders') } }) },
    scenarios: { default: { data: { notes: [{ id: 1, order: 105 }] } } },`),
  );
  const { code, err, out } = await runCommand('check', '--config', file);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.split('\n')).toHaveLength(3);
  expect(out).toContain('notes 1 (There is no order 105) of empty, filled-cart, ');
  expect(out).toContain('`scenarios: { empty: { data: { notes: [] } } }`');
});

test(
  'check and documents answer examples without a key, those of required steps included',
  { tags: 'long' },
  async () => {
    const { file } = folder(
      `import { extendApi, field, step, storeApi } from 'backlot/define';
    export default extendApi(storeApi, {
      auth: ({ request }) => request.headers['x-api-key'] === 'right',
      steps: { age_check: step({ after: 'payment', body: { adult: field.flag() }, submit() {} }) },
    });`,
    );
    expect(await runCommand('check', '--config', file)).toMatchObject({ code: 0, err: '' });
    const { paths } = JSON.parse((await runCommand('openapi', '--config', file)).out);
    const { description } = paths['/api/checkouts/{order_id}'].put;
    expect(description).toContain('- Age check (chosen by `adult`)');
  },
);

test('check names the places of code that returns a promise, and is not ended by its rejection', async () => {
  const promise = `() => Promise.reject(new Error('late'))`;
  const { file } = folder(
    extended(`
    auth: ${promise},
    fields: { users: { tier: field.computed(${promise}) } },
    rules: { addressing: { check: ${promise} } },
    faults: { late: fault({ value: field.flag(), apply: ${promise} }) },`),
  );
  const { code, err } = await runCommand('check', '--config', file);
  expect(code).toBe(1);
  for (const place of ['auth', 'fields.users.tier', 'rules.addressing.check', 'faults.late.apply'])
    expect(err).toContain(`${place} of the definition returns a promise.`);
  expect(err).not.toContain('Error: late');
  const declared = folder(extended('auth: async () => true')).file;
  expect(await runCommand('check', '--config', declared)).toMatchObject({
    err: expect.stringContaining('auth: must return its result at once: it cannot be async'),
  });
});

const todo = `import { defineApi, field, resource } from 'backlot/define';
  export default defineApi({
    name: 'todo',
    resources: { todos: resource({ singular: 'todo', fields: { title: field.text() } }) },
    scenarios: { busy: { name: 'busy', description: 'Many things to do', data: {} } },
  });`;

test('the greeting, the scenarios and the document of an API from nothing are of that API', async () => {
  const { file } = folder(todo);
  const { url, printed } = await startServer('--config', file, '--host', '0.0.0.0');
  const [, line = ''] = /try +curl '(.+)'/.exec(printed()) ?? [];
  expect(line).toMatch(/\/api\/todos\/\?limit=1$/);
  expect((await fetch(line)).status).toBe(200);
  expect((await fetch(`${url}/`)).status).toBe(200);
  expect(printed()).toContain(`address   ${url}/\n`);
  expect(printed()).toContain('every machine in the network: the todo API and the control API');
  const { info } = await (await fetch(`${url}/_backlot/openapi.json`)).json();
  expect(info).toMatchObject({
    title: 'todo',
    description: expect.stringContaining('Paths under /api are the todo API'),
  });
  expect(await (await fetch(`${url}/_backlot/health`)).json()).toMatchObject({
    api: 'todo',
    list: '/todos/',
    pages: false,
  });
  const { out } = await runCommand('scenarios', '--config', file);
  expect(out).toMatch(/^default *\nempty *\nbusy +Many things to do\n$/);
});

test('the greeting says what the first request requires', async () => {
  const { file } = folder(extended('auth: () => false'));
  const { printed } = await startServer('--config', file);
  expect(printed()).toMatch(/try +curl '.+\/api\/orders\/\?limit=1' with what `auth` of the/);
});

test('check finds an example that does not succeed', async () => {
  const fields = "{ kind: field.oneOf(['a', 'b'], { example: 'c' as 'a' }) }";
  const { file } = folder(
    extended(`resources: { notes: resource({ singular: 'note', fields: ${fields} }) }`),
  );
  const { code, err } = await runCommand('check', '--config', file);
  expect(code).toBe(1);
  expect(err).toContain('The example POST /api/notes/ is answered 400, not 201');
});

test.each([
  [
    'nothing',
    'export const api = 1;',
    'must export an API as its default: export default extendApi',
  ],
  ['a number', 'export default 1;', 'must export an API as its default: export default extendApi'],
  ['a mistake', extended('feilds: {}'), 'Unrecognized key: "feilds" (did you mean "fields"?)'],
])('a file that exports %s is refused in a few lines', async (_, text, message) => {
  const { code, err } = await runCommand('--config', folder(text).file);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err.trim().split('\n').length).toBeLessThanOrEqual(3);
});

test('a file that is no module, and one that does not exist, are named', async () => {
  expect(await runCommand('check', '--config', 'package.json')).toMatchObject({
    code: 2,
    err: 'backlot: --config requires a file of TypeScript or JavaScript, not package.json.\n',
  });
  expect(await runCommand('--config', 'none.ts')).toMatchObject({
    code: 2,
    err: 'backlot: File none.ts not found. --config requires the file of a definition. See https://backlot-dev.github.io/backlot/errors#no-definition\n',
  });
  expect(await runCommand('check')).toMatchObject({
    code: 2,
    err: 'backlot: There is no backlot.config.ts. Name the file: check --config <file>. See https://backlot-dev.github.io/backlot/errors#no-definition\n',
  });
});

test('arazzo and coverage merge know what a definition adds', { tags: 'long' }, async () => {
  const { path, file } = folder(definition);
  const { out } = await runCommand('arazzo', '--config', file);
  const { workflows } = JSON.parse(out) as { readonly workflows: readonly object[] };
  const own = workflows.filter((one) => 'x-backlot-extension' in one);
  expect(own).toMatchObject([
    { workflowId: 'wishlists', steps: [{ operationId: 'createWishlist' }, {}, {}, {}] },
  ]);
  const report = join(path, 'report.json');
  const counts = { requests: 1, extensions: { 'GET /api/wishlists/ 200': 1 } };
  writeFileSync(report, JSON.stringify({ backlot: 'coverage', version: 1, counts }));
  const merged = await runCommand(
    'coverage',
    'merge',
    report,
    '--config',
    file,
    '--ignore',
    'unusual',
    '--gaps',
    '20',
  );
  expect(merged.code).toBe(0);
  expect(merged.out).toContain('Added by a definition: 1 of 7 operations, 1 of ');
  expect(merged.out).toContain('  POST /api/wishlists/ 201\n');
  expect((await runCommand('coverage', 'merge', report)).out).not.toContain(
    'Added by a definition',
  );
});
