import { spawnSync } from 'node:child_process';

/** The programs that some tests start, beside those of npm: the tag of such a test is the name of its program. */
const programs = ['redis-server', 'haproxy', 'nginx', 'zsh', 'fish'] as const;

/** Returns whether a program is installed. */
export function isInstalled(name: string): boolean {
  return spawnSync(name, ['-v'], { stdio: 'ignore' }).error === undefined;
}

/** A tag for each program, which skips its tests if the program is not installed. */
export const programTags = programs.map((name) => ({
  name,
  description: `Starts ${name}.`,
  skip: !isInstalled(name),
}));
