/** Writes the JSON Schema of scenario files: `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideParts } from '../src/shop/parts.ts';
import { scenarioJsonSchema } from '../src/engine/scenario/json-schema.ts';
import { storeApi } from '../src/shop/store-api.ts';

provideParts();
const file = join(import.meta.dirname, '../scenarios/scenario.schema.json');
writeFileSync(file, `${JSON.stringify(scenarioJsonSchema(storeApi), null, 2)}\n`);
