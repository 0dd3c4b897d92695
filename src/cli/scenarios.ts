import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../lib/problem.ts';
import { openScenario } from '../scenario/open-scenario.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { builtInScenario, builtInScenarios } from '../scenario/built-in.ts';
import { UsageError } from './usage-error.ts';
import { wrapped } from './wrapped.ts';

/** @param columns how wide the terminal is, if there is one */
export function listScenarios(columns?: number): string {
  const width = Math.max(...builtInScenarios.map((name) => name.length)) + 2;
  const described = (name: string) => wrapped(builtInScenario(name).description, width, columns);
  return builtInScenarios.map((name) => `${name.padEnd(width)}${described(name)}`).join('\n');
}

/**
 * A scenario by its name, or of a JSON file whose fixture files stand relative to it.
 *
 * @throws UsageError or Problem that says what is wrong with it
 */
export function findScenario(nameOrFile: string): ReadyScenario {
  if (builtInScenarios.includes(nameOrFile)) return builtInScenario(nameOrFile);
  if (!existsSync(nameOrFile)) {
    throw new UsageError(
      `No scenario '${nameOrFile}': neither a file nor one of ${builtInScenarios.join(', ')}.`,
    );
  }
  return openFile(nameOrFile, []);
}

/** @param above the files that extend this one */
function openFile(file: string, above: readonly string[]): ReadyScenario {
  const self = path.resolve(file);
  const [first, ...others] = above.slice(above.indexOf(self));
  if (first !== undefined && above.includes(self)) {
    const circle = [first, ...others, self].map((one) => path.basename(one)).join(' → ');
    throw new Problem('invalid', `Scenarios extend each other in a circle: ${circle}`);
  }
  const beside = (one: string): string => path.resolve(path.dirname(file), one);
  return openScenario(
    readJson(file),
    {
      records: (one) => readJson(beside(one)),
      base: (name) =>
        existsSync(beside(name)) ? openFile(beside(name), [...above, self]) : builtInScenario(name),
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
