import { withPage } from '../../engine/lib/error-page.ts';

/**
 * Checks the version of Node.js. Until then, load only modules that every version can load: the build imports this module
 * first in each entry point of the package, and the program in `main.ts`.
 */
const required = [22, 12] as const;

const host: Partial<typeof globalThis> = globalThis;

/** Says that this version of Node.js is too old. Undefined if it is not. */
export const nodeIssue = issueOf(host.process?.versions?.node);

/** @param version undefined in hosts that are not Node.js, such as Workers */
function issueOf(version: string | undefined): string | undefined {
  if (version === undefined) return undefined;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > required[0] || (major === required[0] && minor >= required[1])) return undefined;
  return withPage(
    'old-node',
    `backlot requires Node.js ${required.join('.')} or later, not ${version}.`,
  );
}
