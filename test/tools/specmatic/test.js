// Loads the document without its parameters of the style `deepObject`, which Specmatic does not support.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

if (spawnSync('java', ['-version']).status !== 0) {
  console.log('note: left out, because it requires Java');
  process.exit(0);
}
const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
for (const operation of Object.values(document.paths).flatMap((one) => Object.values(one))) {
  operation.parameters = operation.parameters.filter(({ style }) => style !== 'deepObject');
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
