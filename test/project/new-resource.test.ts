import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'backlot-new-resource-'));
const source = join(import.meta.dirname, 'new-resource');

afterAll(() => rmSync(scratch, { recursive: true }));

/** Adds an import at the top of a file, and a line to the list in it. */
function addToList(path: string, imports: string, list: string, line: string): void {
  const file = join(scratch, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(list);
  writeFileSync(file, `${imports}\n${text.replace(list, () => `${list}\n  ${line}`)}`);
}

test('a new resource is two new files and one line in each of two lists', { tags: 'long' }, () => {
  for (const path of ['src', 'fixtures', 'scenarios', 'package.json', 'tsconfig.json']) {
    cpSync(path, join(scratch, path), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(scratch, 'node_modules'));
  cpSync(join(source, 'requests.txt'), join(scratch, 'requests.ts'));

  cpSync(join(source, 'model.txt'), join(scratch, 'src/shop/models/taxonomy.ts'));
  cpSync(join(source, 'resource.txt'), join(scratch, 'src/shop/resources/taxonomy.ts'));
  addToList(
    'src/shop/models/database.ts',
    "import { taxonomies } from './taxonomy.ts';",
    'export const definitions = {',
    'taxonomies,',
  );
  addToList(
    'src/shop/resources/index.ts',
    "import { taxonomyEndpoints } from './taxonomy.ts';",
    'export const typedContract = [',
    '...taxonomyEndpoints,',
  );

  const run = (...args: string[]): string =>
    spawnSync(process.execPath, args, { cwd: scratch, encoding: 'utf8' }).stdout;
  writeFileSync(
    join(scratch, 'tsconfig.json'),
    readFileSync('tsconfig.json', 'utf8').replace(
      /"include": [^\]]*\]/,
      '"include": ["src", "*.ts"]',
    ),
  );
  expect(run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')).toBe('');

  const stamps = { created_at: expect.any(String), updated_at: expect.any(String) };
  const _links = { self: { href: '/api/taxonomies/1' } };
  expect(JSON.parse(run('requests.ts'))).toEqual({
    created: [201, '/api/taxonomies/1', { id: 1, name: 'Materials', root: 1, ...stamps, _links }],
    rejected: [
      400,
      {
        code: 400,
        message: 'Validation Failed',
        errors: {
          children: {
            name: { errors: ['This value is already used.'] },
            root: { errors: ['This value is not valid.'] },
          },
        },
      },
    ],
    changed: [204],
    replaced: [204],
    listed: [
      200,
      expect.objectContaining({
        total: 1,
        _embedded: { items: [{ id: 1, name: 'Cloths', root: 1, ...stamps, _links }] },
      }),
    ],
    deleted: [204],
    missing: [
      404,
      {
        code: 404,
        message: 'Requested taxonomy does not exist with these criteria: {"id":"1"}.',
      },
    ],
    broken: expect.stringContaining('data.taxonomies.0.root_id: There is no taxon 9999'),
    paths: ['/api/taxonomies/', '/api/taxonomies/{taxonomy_id}'],
    schemas: ['Taxonomy'],
  });
});
