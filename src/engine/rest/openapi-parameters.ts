import { isObject, mapValues, valueAt, type JsonObject } from '../lib/json-value.ts';
import { extensionMark } from './field.ts';
import type { Form } from './form.ts';
import type { NamedExample } from './openapi-examples.ts';
import { objectAt, type Schemas } from './openapi-schemas.ts';

type Texts = Readonly<Record<string, string>>;

/** Describes the parameters of a path. @param uuids the names of those that are UUIDs */
export function pathParameters(
  path: string,
  examples: readonly NamedExample[],
  texts: Texts,
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

/** Returns the description of a path parameter: `Id of the order`. */
function pathParameterText(path: string, name: string): string {
  const segments = path.split('/');
  const before = segments[segments.indexOf(`:${name}`) - 1] ?? '';
  const isId = name === 'id';
  const noun =
    isId || name === 'name'
      ? before.startsWith(':')
        ? 'record'
        : before.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')
      : name.replace(/_id$/, '').replaceAll('_', ' ');
  return `${name === 'name' ? 'Name' : 'Id'} of the ${noun}`;
}

/**
 * Describes query parameters. A nested one is a parameter of its own, `criteria[name]`, because not all tools support the
 * style `deepObject`. Clients send the same either way.
 */
export function queryParameters(
  { schema: form }: Form<unknown>,
  examples: readonly NamedExample[],
  { schemas, texts }: { readonly schemas: Schemas; readonly texts: Texts },
): JsonObject[] {
  const { properties, required } = schemas.input(form);
  return Object.entries(objectAt(properties)).flatMap(([name, converted]) => {
    const described = describeParameter(name, objectAt(converted), texts);
    const { properties: inner } = described;
    const isRequired = Array.isArray(required) && required.includes(name);
    const all = isObject(inner)
      ? Object.entries(inner).map(
          ([key, one]) => [`${name}[${key}]`, objectAt(one), [name, key]] as const,
        )
      : [[name, described, [name]] as const];
    return all.map(([bracketed, { description = '', ...schema }, path]) => ({
      name: bracketed,
      in: 'query',
      required: !isObject(inner) && isRequired,
      description,
      schema,
      ...parameterExamples(examples, 'query', path, schema),
    }));
  });
}

/** Returns a schema of a query parameter with descriptions, also of the parameters in it. */
function describeParameter(name: string, schema: JsonObject, texts: Texts): JsonObject {
  const { properties, description = texts[name] ?? '' } = schema;
  if (!isObject(properties)) return { ...schema, description };
  const inner = mapValues(properties, (one, key) =>
    name === 'sorting'
      ? { ...objectAt(one), description: `Direction of \`${key}\`` }
      : describeParameter(key, objectAt(one), texts),
  );
  return { ...schema, description, properties: inner };
}

/** Returns the `examples` of a parameter, with values as its schema has them. */
function parameterExamples(
  examples: readonly NamedExample[],
  part: 'path' | 'query',
  path: readonly string[],
  { type }: JsonObject,
): { readonly examples?: JsonObject } {
  const found = examples.flatMap(({ name, [part]: values }) => {
    const sent = valueAt(values, path);
    return sent === undefined ? [] : [[name, { value: typed(sent, type) }] as const];
  });
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) };
}

function typed(sent: unknown, type: unknown): unknown {
  if (type === 'boolean') return sent === 'true' || sent === '1';
  return type === 'integer' ? Number(sent) : sent;
}
