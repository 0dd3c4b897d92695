import * as z from 'zod';
import { controlEndpoints } from '../control/endpoints/index.ts';
import { controlTokenGuard } from '../control/guard.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { mapValues } from '../lib/json-value.ts';
import { baseView } from '../extend/base-views.ts';
import { openapiOf, type OpenApiDocument } from '../rest/openapi.ts';
import type { ExampleAnswers } from '../rest/openapi-examples.ts';
import type { Row } from '../rest/openapi-responses.ts';
import { withTexts } from '../rest/openapi-texts.ts';
import { withUuidParameters } from './uuid-parameters.ts';
import { documentTexts } from '../lib/document-texts.ts';

/** Returns every endpoint of an API and of its control API. */
export function documentedEndpoints(api: ApiDefinition): readonly Row[] {
  const views = new Map(
    [...api.views()._idmap.values()].flatMap((view) =>
      view instanceof z.ZodType ? [[baseView(view), view] as const] : [],
    ),
  );
  // Control endpoints show the views of the API, which may have more fields than those that their rows name.
  const control = controlEndpoints(api).map((row): Row => {
    const answer = row.answer && views.get(row.answer);
    return answer === undefined ? row : { ...row, answer };
  });
  return [...api.endpoints, ...control];
}

const tags = {
  control:
    'The control API: clock, faults, script, journal, snapshots and sessions of the mock server',
};

/** Descriptions of parameters by name, for those whose schema has none. */
const parameters = {
  rule_id: 'Id of the script',
  page: 'Number of the page, from 1 (default: 1)',
  limit:
    'Maximum number of records in the page (default: 10). Values above the setting `maxLimit` are capped.',
  sorting: 'Sort direction by field: `sorting[id]=desc`. The first field is the first sort key.',
  criteria: 'Filters. A record has to match all of them: `criteria[name]=ada`.',
  request: documentTexts.parameterRequest,
  status: 'Status of the response, or its class: `400`, `4xx`',
  step: documentTexts.parameterStep,
  reached: 'Whether the request reached an endpoint',
  since: 'Id of a journal entry: only later ones are matched',
};

const info = {
  title: 'Backlot',
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  contact: { name: 'Backlot', url: 'https://github.com/backlot-dev/backlot/issues' },
};

/** @param name what the API is called: `store` */
const descriptionOf = (
  name: string,
): string => `Paths under /api are the ${name} API, those under /_backlot the control API.

Examples were made with the scenario \`default\`. Errors have the documented bodies unless a fault was injected, whose status, headers and body are free.

In a browser, a page of a session that the server has removed has status 410 and is in HTML.`;

/** Ends a text that its author has not ended. */
function sentence(text: string): string {
  return /[\p{L}\p{N})]$/u.test(text) ? `${text}.` : text;
}

/** Returns the OpenAPI document of some endpoints of an API and of its control API. */
export function openapi(
  api: ApiDefinition,
  version: string,
  rows: readonly Row[],
  answers?: ExampleAnswers,
): OpenApiDocument {
  const documents = api.control?.parts().documents;
  const document = openapiOf(rows, {
    info: {
      ...info,
      ...(documents?.title !== undefined && { title: documents.title }),
      description: [
        sentence(documents?.description ?? ''),
        descriptionOf(documents?.title ?? 'store'),
      ]
        .join(' ')
        .trim(),
      version,
    },
    named: api.views(),
    guards: [...(documents?.guards ?? []), controlTokenGuard],
    tags: { ...documents?.tags, ...tags },
    parameters: { ...documents?.parameters, ...parameters },
    fields: { ...documents?.fields },
    ...(answers !== undefined && { answers }),
  });
  return withUuidParameters(withTexts(withFaultKinds(document, api), documents?.texts), api);
}

/** Adds what the studio shows of each kind of fault that the document has. */
function withFaultKinds(document: OpenApiDocument, { faultKinds }: ApiDefinition): OpenApiDocument {
  if (document.components.schemas['AddFaultBody'] === undefined) return document;
  const kinds = mapValues(faultKinds, ({ shown, allowsAfter, role }) => ({
    ...shown,
    allowsAfter,
    keepsWrites: role !== 'replaces',
  }));
  return { ...document, 'x-backlot-faults': kinds };
}
