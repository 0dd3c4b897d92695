import { builtInNames } from '../engine/scenario/built-in.ts';
import { storeApi } from '../shop/store-api.ts';
import { commands, type CommandRow } from './commands.ts';
import { flagName, UsageError, type Flag } from './values.ts';

const rows: ReadonlyArray<readonly [name: string, row: CommandRow]> = Object.entries(commands);
const names = rows.map(([name]) => name);
/** The other commands are named on the command line. */
const others = names.filter((name) => name !== 'serve');

const shells: Readonly<Record<string, () => string>> = {
  bash,
  zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${bash()}`,
  fish,
};

/**
 * Returns the script with which a shell completes commands, their flags, and the values of flags that have names: scenarios
 * and choices.
 *
 * @throws UsageError for another shell, and for more or less than one
 */
export function completionScript(shell: readonly string[]): string {
  const given = shell.join(' ');
  const script = Object.hasOwn(shells, given) ? shells[given] : undefined;
  if (script !== undefined) return script();
  const known = Object.keys(shells).join(', ');
  const wrong = given === '' ? '' : `, not '${given}'`;
  throw new UsageError(`completion requires the name of one shell: ${known}${wrong}.`);
}

function bash(): string {
  const ofCommands = rows.map(([name, { flags }]) => {
    const words = [
      ...Object.keys(flags).map(flagName),
      '--help',
      ...(name === 'serve' ? others : []),
    ];
    return `    ${name}) words='${words.join(' ')}' ;;`;
  });
  const ofFlags = [...valuesByFlag()].map(
    ([flag, values]) => `    ${flag}) words='${values.join(' ')}' ;;`,
  );
  return `_backlot() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=serve word words
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case $word in ${others.join('|')}) command=$word; break ;; esac
  done
  case $command in
${ofCommands.join('\n')}
  esac
  case $before in
${ofFlags.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _backlot backlot`;
}

function fish(): string {
  const none = `not __fish_seen_subcommand_from ${others.join(' ')}`;
  return rows
    .flatMap(([name, { summary, flags }]) => {
      const isServe = name === 'serve';
      const when = isServe ? none : `__fish_seen_subcommand_from ${name}`;
      const command = `complete -c backlot -f -n '${none}' -a ${name} -d ${quoted(summary)}`;
      const ofFlags = Object.entries(flags).map(([key, flag]) => {
        const values = valuesOf(key, flag);
        const value = values.length > 0 ? ` -a '${values.join(' ')}'` : '';
        // Without files, if only names are values.
        const takes = flag.kind && (flag.kind.names === undefined ? ' -r' : ' -x');
        return `complete -c backlot -n '${when}' -l ${flagName(key).slice(2)}${takes ?? ''}${value} -d ${quoted(flag.help)}`;
      });
      return [...(isServe ? [] : [command]), ...ofFlags];
    })
    .join('\n');
}

/** The values that have names, of all flags: a flag has the same in each command. */
function valuesByFlag(): ReadonlyMap<string, readonly string[]> {
  const all = rows.flatMap(([, { flags }]) => Object.entries(flags));
  const named = all.map(([key, flag]) => [flagName(key), valuesOf(key, flag)] as const);
  return new Map(named.filter(([, values]) => values.length > 0));
}

function valuesOf(key: string, { kind }: Flag): readonly string[] {
  return key === 'scenario' ? builtInNames(storeApi) : (kind?.names ?? []);
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
