import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../lib/problem.ts';
import { openScenario } from '../scenario/open-scenario.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { builtInScenario, builtInScenarios } from '../scenario/built-in.ts';
import { formatRows } from './arguments.ts';
import { UsageError } from './values.ts';

/**
 * Returns one line for each built-in scenario: its name and its description.
 *
 * @param columns the width of the terminal; if undefined, nothing is wrapped
 */
export function listScenarios(columns = Infinity): string {
  const rows = builtInScenarios.map((name) => [name, builtInScenario(name).description] as const);
  // The list needs no indent of two columns, unlike the rows of --help.
  return formatRows(rows, columns + 2)
    .join('\n')
    .replaceAll(/^ {2}/gm, '');
}

/**
 * Returns a built-in scenario, or opens a JSON file. Paths in the file are relative to it.
 *
 * @param onRead receives the path of each file before it is read: the scenario, those that it extends, and their records
 * @throws UsageError if there is neither a built-in scenario nor a file of this name
 * @throws Problem `invalid` that lists every issue of the file
 */
export function findScenario(
  nameOrFile: string,
  onRead: (file: string) => void = () => undefined,
): ReadyScenario {
  if (isBuiltIn(nameOrFile)) return builtInScenario(nameOrFile);
  if (!existsSync(nameOrFile)) {
    throw new UsageError(
      `Scenario '${nameOrFile}' not found. Pass a file or one of ${builtInScenarios.join(', ')}.`,
    );
  }
  return openFile(nameOrFile, [], onRead);
}

/** Whether this is the name of a built-in scenario, and not a file. */
export function isBuiltIn(nameOrFile: string): boolean {
  return builtInScenarios.some((name) => name === nameOrFile);
}

/** @param extendedBy the files that extend this one, directly or indirectly */
function openFile(
  file: string,
  extendedBy: readonly string[],
  onRead: (file: string) => void,
): ReadyScenario {
  const self = path.resolve(file);
  if (extendedBy.includes(self)) {
    const cycle = [...extendedBy.slice(extendedBy.indexOf(self)), self];
    const names = cycle.map((one) => path.basename(one)).join(' → ');
    throw new Problem('invalid', `Scenarios must not extend each other in a cycle: ${names}`);
  }
  const resolve = (relative: string): string => path.resolve(path.dirname(file), relative);
  const read = (source: string): unknown => {
    onRead(source);
    return readJson(source);
  };
  return openScenario(
    read(self),
    {
      records: (records) => read(resolve(records)),
      base: (name) =>
        existsSync(resolve(name))
          ? openFile(resolve(name), [...extendedBy, self], onRead)
          : builtInScenario(name),
    },
    `scenario ${path.basename(file)}`,
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem('invalid', `Cannot read ${file}: ${reason}`);
  }
}
