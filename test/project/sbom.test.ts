import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { sbomOf } from '../../tools/inlined.ts';
import { manifest } from '../../tools/packed.ts';

const folder = dirname(
  createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
);

function schema(name: string): object {
  const path = join(folder, `res/schema/${name}.SNAPSHOT.schema.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as object;
}

test('the bill of materials is valid by the schema of CycloneDX, and lists each package that the package contains', () => {
  const ajv = new Ajv({ strict: false, formats: { 'iri-reference': true, 'idn-email': true } });
  addFormats.default(ajv);
  // As the schema refers to them.
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema('bom-1.6'));
  const sbom = sbomOf();
  validate(sbom);
  expect(validate.errors).toBe(null);
  expect(sbom.components.map(({ name, version }) => [name, version])).toEqual(
    Object.entries(manifest.inlinedDependencies),
  );
});
