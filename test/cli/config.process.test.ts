import { expect, test } from 'vitest';
import { extended, folder } from './definition-file.ts';
import { runProgram } from '../support/program.ts';

test('check names the line whose code does something else each time', async () => {
  const { file } = folder(
    extended(`
    fields: { users: { luck: field.computed(() => Math.random()) } },
    rules: { purchase: { check: ({ issue }) =>
      Date.now() > 0 ? [] : [issue('number', 'No.')] } },
    faults: { late: fault({ value: field.flag(), apply: ({ response }) =>
      ({ ...response, body: { at: new Date(Date.now()) } }) }) },
    resources: { notes: resource({ singular: 'note', fields: { text: field.text() } }) },`),
  );
  const { code, err, out } = await runProgram('check', '--config', file);
  expect(code).toBe(1);
  expect(err).toContain(`${file}:3 calls Math.random(), which differs at each start`);
  expect(err).toContain(
    `${file}:5 calls Date.now(), which differs at each start: use \`clock.now()\``,
  );
  expect(err).toContain('POST /api/users/ has another response each time');
  expect(err).toContain('The fault late has another response each time');
  expect(err).toContain(`${file}:7 calls Date.now()`);
  expect(out).toContain('The scenario default has no record 1 of notes');
});

test('a file that is no JavaScript is refused in a few lines', async () => {
  const { code, err } = await runProgram('--config', folder('export default {').file);
  expect(code).toBe(2);
  expect(err).toContain('Cannot read ');
  expect(err.trim().split('\n').length).toBeLessThanOrEqual(3);
});
