import * as z from 'zod';
import type { ApiDefinition } from '../definition/api.ts';
import { withTexts } from '../rest/openapi-texts.ts';

/** Returns the JSON Schema of the scenario files of an API. Editors use it to complete and to validate them. */
export function scenarioJsonSchema({ scenario, control }: ApiDefinition): object {
  const { $schema, ...schema } = z.toJSONSchema(scenario, { io: 'input' });
  const { texts } = control?.parts().documents ?? {};
  return withTexts({ $schema, title: 'A scenario of Backlot', ...schema }, texts);
}
