// Loads the document. Specmatic supports no parameters of the style `deepObject`, only `form`, so `sorting` with the
// property `id` is sent to it as the parameter `sorting[id]`, which a client sends in the same way:
// https://docs.specmatic.io/features/openapi/parameter_serialization
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

if (spawnSync('java', ['-version']).status !== 0) {
  console.log('note: left out, because it requires Java');
  process.exit(0);
}
const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
for (const operation of Object.values(document.paths).flatMap((one) => Object.values(one))) {
  operation.parameters = operation.parameters.flatMap(flatten);
}
writeFileSync('flat.json', JSON.stringify(document));
mkdirSync('flat_examples');
const { status, stdout, stderr } = spawnSync(
  'node_modules/.bin/specmatic',
  ['examples', 'validate', '--spec-file', 'flat.json'],
  { encoding: 'utf8' },
);
const [valid] = /\d+ example\(s\) are valid/.exec(stdout) ?? [];
const isLoaded = status === 0 && valid !== undefined && !stdout.includes('OAS9999');
console.log(isLoaded ? `note: loaded, ${valid}` : `${stdout}${stderr}`);
process.exit(isLoaded ? 0 : 1);

function flatten(parameter) {
  if (parameter.style !== 'deepObject') return [parameter];
  const { name, schema, examples = {}, style, explode, required, ...rest } = parameter;
  return Object.entries(schema.properties).map(([property, one]) => {
    const own = Object.entries(examples).filter(([, { value }]) => property in value);
    return {
      ...rest,
      name: `${name}[${property}]`,
      required: false,
      schema: one,
      ...(own.length > 0 && {
        examples: Object.fromEntries(
          own.map(([key, example]) => [key, { ...example, value: example.value[property] }]),
        ),
      }),
    };
  });
}
