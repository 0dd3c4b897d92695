import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';

/** Returns what bash completes at the end of a command line. */
async function completed(line: string): Promise<string[]> {
  const { out } = await runProgram('completion', 'bash');
  const words = line.split(' ');
  const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}\n_backlot\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

test.each([
  ['backlot ver', ['verify', 'version']],
  ['backlot verify --ti', ['--timeout']],
  ['backlot --allow', ['--allowed-host']],
  ['backlot --scenario fill', ['filled-cart']],
  ['backlot --port 4001 --sessions r', ['required']],
  ['backlot verify --scen', ['']],
])('bash completes `%s`', async (line, expected) => {
  expect(await completed(line)).toEqual(expected);
});

test('each shell has a script, and another one is refused with their names', async () => {
  expect((await runProgram('completion', 'zsh')).out).toMatch(/^autoload .*bashcompinit\n/);
  expect((await runProgram('completion', 'fish')).out).toContain("-l scenario -r -a 'default ");
  expect(await runProgram('completion', 'tcsh')).toMatchObject({
    code: 2,
    err: "backlot: completion requires the name of a shell: one of bash, zsh, fish, not 'tcsh'.\n",
  });
});
