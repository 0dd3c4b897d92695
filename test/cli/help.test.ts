import { expect, test } from 'vitest';
import { commandOf, overview, parseArguments, usage } from '../../src/cli/arguments.ts';
import { commands, type CommandName } from '../../src/cli/commands.ts';
import { examples } from '../../src/cli/examples.ts';
import { runCommand } from '../support/command.ts';

const names = Object.keys(commands) as CommandName[];

/** Returns the flags that a help describes, one at the beginning of each row. */
function flagsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
}

test.each([40, 60, 80, 120])(
  'the help of each command is at most %i columns wide and describes its own flags',
  (columns) => {
    for (const name of names) {
      const help = usage(name, columns);
      // Commands, and flags with their values are not wrapped.
      const wide = help.split('\n').filter((line) => line.length > columns);
      expect(wide.filter((line) => !/^ {2}(npx|-)/.test(line))).toEqual([]);
      expect(columns < 80 || wide.length === 0).toBe(true);
      const own = [...Object.keys(commands[name].flags), 'help'];
      expect(flagsIn(help)).toEqual(
        own.map((flag) => `--${flag.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`),
      );
    }
  },
);

test.each(names.flatMap((name) => (examples[name] ?? []).map(([line]) => [line, name] as const)))(
  'the example `backlot %s` is a command line of %s',
  (line, name) => {
    const words = line.replace(/ >.*/, '').matchAll(/'([^']*)'|\S+/g);
    const found = commandOf(Array.from(words, ([word, quoted]) => quoted ?? word));
    expect(found.name).toBe(name);
    expect(() => parseArguments(found.args, name)).not.toThrow();
    expect(usage(name)).toContain(line);
  },
);

test.each([
  ['verify', '--help'],
  ['--help', 'verify'],
  ['--timeout=5', '-h', 'verify'],
  ['help', 'verify'],
])('%s %s prints the help of verify', async (...words) => {
  const { code, out } = await runCommand(...words);
  expect(code).toBe(0);
  expect(out).toContain('Usage: backlot verify [flags]');
  expect(flagsIn(out)).toContain('--max-time');
  expect(flagsIn(out)).not.toContain('--store');
});

test.each([['--help'], ['-h'], ['help']])(
  '`backlot %s` lists every command first, and no flag',
  async (word) => {
    const { out } = await runCommand(word);
    expect(out.split('\n').slice(0, 5)).toEqual([
      expect.stringMatching(/^Usage: backlot /),
      '',
      expect.stringMatching(/^\w/),
      '',
      'Commands:',
    ]);
    for (const name of names) expect(out).toContain(`\n  ${name} `);
    expect(flagsIn(out)).toEqual([]);
    expect(out).toContain('`backlot serve --help` prints the flags of the server.');
  },
);

test.each([
  ['serve', '--help'],
  ['--help', 'serve'],
  ['help', 'serve'],
])('`backlot %s %s` prints the flags of the server and no command', async (...words) => {
  const { out } = await runCommand(...words);
  expect(out).toContain('Usage: backlot serve [flags]');
  expect(flagsIn(out)).toContain('--store');
  expect(flagsIn(out)).not.toContain('--against');
  expect(out).not.toContain('Commands:');
});

test.each([40, 60, 80, 120])('the list of commands is at most %i columns wide', (columns) => {
  const wide = overview(columns)
    .split('\n')
    .filter((line) => line.length > columns);
  expect(wide.filter((line) => !/^ {2}npx/.test(line))).toEqual([]);
});

test.each<[string, string]>([
  [
    'verify --store',
    "Unknown option '--store'. It is an option of serve, not of verify. `backlot verify --help` lists what verify takes.",
  ],
  ['--against http://127.0.0.1', 'It is an option of verify, not of serve.'],
  [
    'coverage merge --port 1',
    'It is an option of serve, states, open, arazzo, proxy, tail, explain, not of coverage.',
  ],
  ['coverage merge --mn 3', "Unknown option '--mn'. Did you mean --min?"],
  ['verify --tokn x', "Unknown option '--tokn'. Did you mean --token?"],
  ['verify http://127.0.0.1', '`backlot verify --help` lists what verify takes.'],
  ['proxy --no-control --control-token x', '--no-control and --control-token cannot be used'],
  ['verify --write --read-only', '--write and --read-only cannot be used together.'],
  ['verify --user a:b --token c', '--user and --token cannot be used together.'],
  [
    'scenario',
    "Unknown command 'scenario'. Did you mean scenarios? The commands are serve, init, scenarios, states, open, verify, openapi, contract, schema, check, coverage, mocks, mutate, chaos, merge, arazzo, proxy, tail, explain, replay, pull, completion, help, version.",
  ],
  ['--prot 1 verify', "Unknown option '--prot'. Did you mean --port?"],
])(
  '`backlot %s` is rejected with the command that has the flag or the nearest name',
  (line, reason) => {
    expect(() => {
      const { name, args } = commandOf(line.split(' '));
      return parseArguments(args, name);
    }).toThrow(reason);
  },
);

test.each(['--port 0 proxy --to http://a.test', 'proxy --to http://a.test --port 0'])(
  'a command can follow its flags: %s',
  (line) => {
    const { name, args } = commandOf(line.split(' '));
    expect(name).toBe('proxy');
    expect(parseArguments(args, 'proxy')).toMatchObject({ port: 0, names: [] });
  },
);
