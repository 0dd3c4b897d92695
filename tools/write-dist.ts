/** Writes what the package has beside its modules: the start of its default scenario, the skill, licences and the SBOM. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeStart } from '../src/engine/scenario/prebuilt.ts';
import { startFile } from '../src/engine/scenario/prebuilt-starts.ts';
import { startOf } from '../src/engine/scenario/start.ts';
import { provideParts } from '../src/shop/parts.ts';
import { builtInScenario, storeApi } from '../src/shop/store-api.ts';
import { licensesOf, sbomOf } from './inlined.ts';
import { textOf } from './documents.ts';
import { manifest } from './packed.ts';
import { root } from './run.ts';

provideParts();
const folder = process.env['OUT_DIR'] ?? join(root, 'dist');
const start = asciiJson(writeStart(startOf(builtInScenario('default'))));
writeFileSync(join(folder, 'chunks', startFile(storeApi, 'default')), start);
const skill = join(folder, 'skills/backlot');
cpSync(join(root, 'docs/skill'), skill, { recursive: true });
// The lines after the first are metadata.
const withVersion = `---\nmetadata:\n  version: '${manifest.version}'\n`;
writeFileSync(join(skill, 'SKILL.md'), textOf('docs/skill/SKILL.md').replace('---\n', withVersion));
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licensesOf());
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(), null, 2)}\n`);

/** Escapes what is not ASCII: a string takes half of the memory if each of its characters fits in one byte. */
function asciiJson(text: string): string {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
