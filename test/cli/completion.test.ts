import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';

test('each shell has a script, and another one is refused with their names', async () => {
  expect((await runCommand('completion', 'zsh')).out).toMatch(/^autoload .*bashcompinit\n/);
  expect((await runCommand('completion', 'fish')).out).toContain("-l scenario -r -a 'default ");
  const message = 'backlot: completion requires the name of one shell: bash, zsh, fish';
  for (const [names, end] of [
    [['tcsh'], ", not 'tcsh'.\n"],
    [['bash', 'zsh'], ", not 'bash zsh'.\n"],
    [[], '.\n'],
  ] as const)
    expect(await runCommand('completion', ...names)).toMatchObject({
      code: 2,
      err: `${message}${end}`,
    });
});
