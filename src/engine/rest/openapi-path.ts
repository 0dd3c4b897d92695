import { parameterExamples, type NamedExample } from './openapi-examples.ts';
import { extensionMark } from './field.ts';
import type { JsonObject } from './openapi-schemas.ts';
import { pathParameterText } from './openapi-texts.ts';

/** Describes the parameters of a path. @param uuids the names of those that are UUIDs */
export function pathParameters(
  path: string,
  examples: readonly NamedExample[],
  texts: Readonly<Record<string, string>>,
  uuids: readonly string[] = [],
): JsonObject[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => {
    const isUuid = uuids.includes(name);
    const isId = /(^|_)id$/.test(name);
    const schema = isUuid
      ? { type: 'string', format: 'uuid' }
      : isId
        ? { type: 'integer', minimum: 1 }
        : { type: 'string', minLength: 1 };
    const description = texts[name] ?? pathParameterText(path, name);
    const named = parameterExamples(examples, 'path', [name], schema);
    const mark = isUuid && { [extensionMark]: true };
    return { name, in: 'path', required: true, description, schema, ...mark, ...named };
  });
}
