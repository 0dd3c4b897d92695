import { spawnSync } from 'node:child_process';
import { hasChromium } from './chromium.ts';

/** The programs that some tests start, beside those of npm: the tag of such a test is the name of its program. */
const programs = ['redis-server', 'haproxy', 'nginx', 'zsh', 'fish'] as const;

/** Returns whether a program is installed. */
export function isInstalled(name: string): boolean {
  return spawnSync(name, ['-v'], { stdio: 'ignore' }).error === undefined;
}

interface ProgramTag {
  readonly name: string;
  readonly description: string;
  /** Whether the program is missing, so that its tests are skipped. */
  readonly skip: boolean;
  /** What else is left out without it, and the command that installs it. */
  readonly hint?: string;
}

/** A tag for each program, which skips its tests if the program is not installed. */
export const programTags: readonly ProgramTag[] = [
  ...programs.map((name) => ({
    name,
    description: `Starts ${name}.`,
    skip: !isInstalled(name),
  })),
  {
    name: 'chromium',
    description: 'Opens pages in Chromium.',
    skip: !(await hasChromium()),
    hint: ', and the files of test/browser. Install it with npx playwright install chromium',
  },
];
