import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from './packed.ts';
import { root } from './run.ts';

interface Inlined {
  readonly name: string;
  readonly version: string;
  /** As in its package.json: `MIT`. */
  readonly license: string;
  readonly folder: string;
}

/** Returns the packages that the package contains. @throws Error if an installed version is another than the listed one */
function inlined(): Inlined[] {
  return Object.entries(manifest.inlinedDependencies).map(([name, listed]) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Record<'version' | 'license', string>;
    if (version !== listed) {
      throw new Error(
        `inlinedDependencies of package.json says ${name} ${listed}, but ${version} is installed`,
      );
    }
    return { name, version, license, folder };
  });
}

/** Returns the licences of the inlined packages. @throws Error that names a package without one */
export function licensesOf(): string {
  return inlined().map(licenseOf).join('\n\n');
}

function licenseOf({ name, version, license, folder }: Inlined): string {
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
  if (file === undefined && license === undefined) throw new Error(`${name} has no licence`);
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return [`## ${name} ${version} (${license})`, ...(text === '' ? [] : [text])].join('\n\n') + '\n';
}

/** Returns the bill of materials, as https://cyclonedx.org/docs/1.6/json/ says: what is inlined, and what is installed beside it. */
export function sbomOf() {
  const { name, version, dependencies } = manifest;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: componentOf('library', name, version, 'MIT') },
    components: inlined().map((one) => componentOf('library', one.name, one.version, one.license)),
    dependencies: [
      {
        ref: purlOf(name, version),
        dependsOn: inlined().map((one) => purlOf(one.name, one.version)),
      },
    ],
    properties: Object.entries(dependencies).map(([one, range]) => ({
      name: 'backlot:dependency',
      value: `${one} ${range}`,
    })),
  };
}

function componentOf(type: string, name: string, version: string, license: string) {
  const purl = purlOf(name, version);
  return { type, 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }] };
}

/** Returns the package URL: `pkg:npm/%40msw/data@1.1.7`. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
