/** Writes the JSON Schema of scenario files: `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenarioJsonSchema } from '../src/shop/scenario.ts';

const file = join(import.meta.dirname, '../scenarios/scenario.schema.json');
writeFileSync(file, `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
