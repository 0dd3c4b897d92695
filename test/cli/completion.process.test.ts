import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../support/command.ts';

/** What is completed at the end of a command line, each of one command, flag or value. */
const lines = [
  ['backlot verif', 'verify'],
  ['backlot verify --ti', '--timeout'],
  ['backlot --allow', '--allowed-host'],
  ['backlot --scenario fill', 'filled-cart'],
  ['backlot --port 4001 --sessions r', 'required'],
] as const;

/** A folder with the script of a shell. */
async function folderWith(shell: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'script'), (await runCommand('completion', shell)).out);
  return folder;
}

async function completedByBash(line: string): Promise<string[]> {
  const folder = await folderWith('bash');
  const words = line.split(' ');
  const script = `source ${folder}/script\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}\n_backlot\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

test.each(lines)('bash completes `%s`', async (line, expected) => {
  expect(await completedByBash(line)).toEqual([expected]);
});

test('bash lists what a word can become, and nothing that a command has not', async () => {
  expect(await completedByBash('backlot ver')).toEqual(['verify', 'version']);
  expect(await completedByBash('backlot verify --scen')).toEqual(['']);
});

test.each(lines)('fish completes `%s`', { tags: 'fish' }, async (line, expected) => {
  const folder = await folderWith('fish');
  const script = `source ${folder}/script; complete -C '${line}'`;
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const printed = execFileSync('fish', ['-c', script], { encoding: 'utf8', env });
  expect(printed.trim().split('\n')).toEqual([expect.stringMatching(`^${expected}\t`)]);
});

/** Types a line and a tab into a terminal, and has zsh write what the line has become. */
const typing = String.raw`
zmodload zsh/zpty
zpty child zsh -d -i
zpty -w -n child "$1"$'\t\030\030'
while zpty -r child; do :; done`;

const startUp = `
autoload -Uz compinit && compinit -D -u
source $ZDOTDIR/script
show() { print -r -- "$BUFFER" > $ZDOTDIR/line; exit }
zle -N show
bindkey '^X^X' show
`;

test.each(lines)('zsh completes `%s`', { tags: 'zsh' }, async (line, expected) => {
  const folder = await folderWith('zsh');
  writeFileSync(join(folder, '.zshrc'), startUp);
  const env = { ...process.env, ZDOTDIR: folder, TERM: 'dumb' };
  execFileSync('zsh', ['-f', '-c', typing, 'zsh', line], { env, stdio: 'pipe', timeout: 60_000 });
  const completed = readFileSync(join(folder, 'line'), 'utf8');
  expect(completed).toBe(`${line.slice(0, line.lastIndexOf(' '))} ${expected} \n`);
});
