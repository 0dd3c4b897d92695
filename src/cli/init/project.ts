import { existsSync, readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { issuesOf } from '../../engine/lib/schema-issues.ts';
import { UsageError } from '../values.ts';
import { invalidFields } from '../../engine/lib/problem.ts';
import { thrownMessage } from '../../engine/lib/thrown.ts';

/** A project that Backlot is added to, as its files in the working directory say. */
export interface Project {
  /** The text of `package.json`, and what it says. */
  readonly manifest: string;
  readonly content: z.output<typeof Manifest>;
  /** The packages that it names. */
  readonly packages: ReadonlySet<string>;
  readonly isTypeScript: boolean;
  /** Whether imports of TypeScript name the file that is built: `./backlot.config.js`. */
  readonly namesExtensions: boolean;
  /** Whether `.js` files are ECMAScript modules. */
  readonly isModule: boolean;
  readonly manager: PackageManager;
  /** Whether it has a file or a folder. */
  readonly has: (path: string) => boolean;
}

/** The commands of a package manager. */
export interface PackageManager {
  readonly add: string;
  readonly run: string;
  readonly execute: string;
}

const npm: PackageManager = { add: 'npm i -D', run: 'npm run', execute: 'npx' };

const managers: readonly [lock: string, manager: PackageManager][] = [
  ['pnpm-lock.yaml', { add: 'pnpm add -D', run: 'pnpm', execute: 'pnpm exec' }],
  ['yarn.lock', { add: 'yarn add -D', run: 'yarn', execute: 'yarn' }],
  ['bun.lock', { add: 'bun add -d', run: 'bun run', execute: 'bunx' }],
];

/** The fields of `package.json` that are read. */
const Manifest = z.looseObject({
  type: z.string().optional(),
  scripts: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

/** Reads the project of the working directory. @throws UsageError without a readable `package.json` */
export function readProject(): Project {
  if (!existsSync('package.json')) {
    throw new UsageError('There is no package.json here. Begin with `npm init -y`.');
  }
  if (!statSync('package.json').isFile()) throw new UsageError('package.json is no file.');
  const manifest = readFileSync('package.json', 'utf8');
  const content = parse(manifest);
  const { type, dependencies, devDependencies } = content;
  const packages = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  const configuration = isFile('tsconfig.json') ? readFileSync('tsconfig.json', 'utf8') : '';
  return {
    manifest,
    content,
    packages,
    isTypeScript: configuration !== '' || packages.has('typescript'),
    namesExtensions: /"node(next|16|18|20)"/i.test(configuration),
    isModule: type === 'module',
    manager: managers.find(([lock]) => existsSync(lock))?.[1] ?? npm,
    has: existsSync,
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function parse(manifest: string): z.output<typeof Manifest> {
  let content: unknown;
  try {
    // npm reads one with a byte order mark, too.
    content = JSON.parse(manifest.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`package.json is not JSON: ${thrownMessage(error)}.`);
  }
  const { data, error } = Manifest.safeParse(content);
  if (data !== undefined) return data;
  throw new UsageError(`package.json: ${invalidFields(issuesOf(Manifest, error)).message}.`);
}
