// Loads the document as it is, and checks its examples.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

if (spawnSync('java', ['-version']).status !== 0) {
  console.log('note: left out, because it requires Java');
  process.exit(0);
}
// Beside those of the document, it looks for more in this folder, which must exist.
mkdirSync('openapi_examples');
const { status, stdout, stderr } = spawnSync(
  'node_modules/.bin/specmatic',
  ['examples', 'validate', '--spec-file', 'openapi.json'],
  { encoding: 'utf8' },
);
const [valid] = /\d+ example\(s\) are valid/.exec(stdout) ?? [];
const isLoaded = status === 0 && valid !== undefined && !stdout.includes('OAS9999');
console.log(isLoaded ? `note: loaded, ${valid}` : `${stdout}${stderr}`);
process.exit(isLoaded ? 0 : 1);
