import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeTypes } from '../../tools/described-types.ts';

/** Returns what becomes of a declaration, as the compiler writes it for `src/engine/rest/endpoint.ts`. */
async function described(declaration: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'engine/rest/endpoint.d.ts');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, declaration);
  await describeTypes(folder);
  return readFileSync(path, 'utf8');
}

test('the fields of a declared schema get the descriptions of the schema', async () => {
  const declared = 'export declare const RestSettings: z.ZodObject<{ maxLimit: z.ZodInt; }>;';
  expect(await described(declared)).toContain(
    '/** Maximum page `limit`; larger values are capped (default: `1000`) */ maxLimit: z.ZodInt;',
  );
});

test('declarations without a schema are reported, because the package would have no descriptions', async () => {
  const declared = 'export declare const RestSettings: Schema<{ maxLimit: number }>;';
  await expect(described(declared)).rejects.toThrow(
    /^No schema in the declarations got a docstring/,
  );
});
