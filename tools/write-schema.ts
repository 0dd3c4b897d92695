/** Writes the JSON Schema of scenario files anew: `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenarioJsonSchema } from '../src/scenario/json-schema.ts';

const file = join(import.meta.dirname, '../scenarios/scenario.schema.json');
writeFileSync(file, `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
