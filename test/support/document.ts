import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PathTrie } from '../../src/engine/rest/router.ts';
import type { Answered } from './office.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Returns why a response is not as the document says; undefined if it is. */
export type Check = (line: string, answer: Answered) => string | undefined;

/** Creates a check of responses against an OpenAPI document: operation, status, content type and body. */
export function checkAgainst(document: ApiDocument): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const paths = new PathTrie<string>();
  for (const path of Object.keys(document.paths)) {
    paths.add(bare(path.replaceAll(/\{(\w+)\}/g, ':$1')), path);
  }
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  return (line, { status, headers, body }) => {
    const [method = '', url = ''] = line.split(' ');
    const path = paths.find(bare(url.split('?')[0] ?? ''))?.value ?? '';
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) return `${line}: no operation`;
    const where = `${operation.operationId} ${status}`;
    const described = operation.responses[status];
    if (described === undefined) return `${where}: not documented`;
    const pointer =
      described.$ref?.slice(1) ??
      pointerTo('paths', path, method.toLowerCase(), 'responses', String(status));
    const response =
      described.$ref === undefined
        ? described
        : document.components['responses']?.[described.$ref.split('/').at(-1) ?? ''];
    const { content } = response as { readonly content?: Readonly<Record<string, unknown>> };
    if (content === undefined) return body === undefined ? undefined : `${where}: has a body`;
    const type = headers['content-type'] ?? '';
    if (!(type in content)) return `${where}: content type ${type}`;
    const validate = validatorOf(`${pointer}${pointerTo('content', type, 'schema')}`);
    if (validate(body)) return undefined;
    return `${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`;
  };
}

function bare(path: string): string {
  return path.replace(/(.)\/$/, '$1');
}

function pointerTo(...segments: readonly string[]): string {
  return segments
    .map((one) => `/${encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}
