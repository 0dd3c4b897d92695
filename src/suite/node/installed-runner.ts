import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Returns the path of the package.json of a program that runs tests, as a folder has it installed.
 *
 * @param least the first version that fits: `'3.2'`
 * @throws Error that says what to install
 */
export function installedRunner(name: string, folder: string, least: string): string {
  const path = manifestOf(name, folder);
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  if (isBefore(version, least)) {
    const install = `run npm install --save-dev ${name}@${least}`;
    throw new Error(`it must be version ${least} or later, not ${version}: ${install}`);
  }
  return path;
}

function manifestOf(name: string, folder: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
  } catch (cause) {
    throw new Error(`it is not installed: run npm install --save-dev ${name}`, { cause });
  }
}

/** Whether a version precedes another one: `1.9.2` and `1.10`. */
function isBefore(version: string, other: string): boolean {
  const [[major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]] = [version, other].map((one) =>
    one.split('.').map(Number),
  ) as [number[], number[]];
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}
