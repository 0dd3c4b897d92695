import * as z from 'zod';
import { Scenario } from './scenario.ts';

/** The JSON Schema of a scenario file, as editors use it to complete and to check one. */
export function scenarioJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(Scenario, { io: 'input' });
  return { $schema, title: 'A scenario of Backlot', ...schema };
}
