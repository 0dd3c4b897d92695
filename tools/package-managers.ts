import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from './packed.ts';
import { runDownload } from './run-download.ts';
import { environment, type Run } from './run.ts';

/** Commands of a package manager. `npx` gets the managers, because few developers need all of them. */
interface Manager {
  /** Adds packages. */
  readonly add: readonly string[];
  /** Runs a program that a package has, or `node`. */
  readonly exec: readonly string[];
}

const yarn = ['npx', '--yes', '--package=@yarnpkg/cli-dist@4.18.1', 'yarn'];
const pnpm = ['npx', '--yes', 'pnpm@12.21.0'];
const bun = ['npx', '--yes', 'bun@1.4.5'];

/** pnpm and yarn let a package import only what it names; yarn leaves packages in archives. */
const managers: Readonly<Record<string, Manager>> = {
  npm: {
    add: ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error'],
    exec: ['npm', 'exec', '--'],
  },
  pnpm: { add: [...pnpm, 'add', '--config.strictDepBuilds=false'], exec: [...pnpm, 'exec'] },
  yarn: { add: [...yarn, 'add'], exec: [...yarn, 'exec'] },
  bun: { add: [...bun, 'add'], exec: [...bun, 'run'] },
};

/** What entry points import that is not part of the package, in the versions that are tested here. */
const peers = ['msw', 'vitest', 'vite', '@playwright/test']
  .map((name) => `${name}@${manifest.devDependencies[name]}`)
  .concat('@jest/globals@30.5.2');

/** How entry points fail outside of the page or the test runner that they are for. */
const elsewhere: Readonly<Record<string, string>> = {
  'backlot/browser': './browser',
  'backlot/jest': 'outside of the Jest test environment',
  'backlot/storybook': './browser',
  'backlot/vitest': 'Vitest failed to find the current suite',
};

/**
 * Installs the package by each package manager into a blank project, imports its entry points and runs its program.
 *
 * @returns the folder of the project of npm
 */
export async function installByEach(tarball: string, work: string, run: Run): Promise<string> {
  const env = await registryOf(work, run);
  for (const [name, { add, exec }] of Object.entries(managers)) {
    const folder = join(work, `by-${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"name":"blank","private":true,"type":"module"}');
    writeFileSync(join(folder, 'entries.js'), importAll);
    const call = (command: readonly string[], ...args: readonly string[]): Promise<string> => {
      const [program = '', ...given] = [...command, ...args];
      return runDownload(program, given, folder, env);
    };
    await call(add, `${manifest.name}@file:${tarball}`, ...peers);
    await call(exec, 'node', 'entries.js');
    const version = await call(exec, 'backlot', '--version');
    if (!version.includes(manifest.version)) throw new Error(`${name}: backlot says ${version}`);
  }
  return join(work, 'by-npm');
}

/** Returns the environment in which all managers use the registry of npm, and trust what npm trusts. */
async function registryOf(work: string, run: Run): Promise<NodeJS.ProcessEnv> {
  const get = async (name: string) => (await run('npm', ['config', 'get', name], work)).trim();
  const [registry, certificates] = [await get('registry'), await get('cafile')];
  return {
    ...environment,
    YARN_NPM_REGISTRY_SERVER: registry,
    ...(certificates !== 'null' && { NODE_EXTRA_CA_CERTS: certificates }),
  };
}

/** The entry points: `backlot/express`. */
export const entries = Object.keys(manifest.exports)
  .filter((entry) => entry !== './package.json')
  .map((entry) => manifest.name + entry.slice(1));

const importAll = `
  const elsewhere = ${JSON.stringify(elsewhere)};
  for (const entry of ${JSON.stringify(entries)}) {
    try {
      await import(entry);
    } catch (error) {
      if (!error.message.includes(elsewhere[entry] ?? error)) throw error;
    }
  }
`;
