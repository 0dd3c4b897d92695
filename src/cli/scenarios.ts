import { hintOf } from '../engine/lib/unknown-keys.ts';
import { existsSync } from 'node:fs';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { readForeignJson } from '../mounts/node/read-file.ts';
import path from 'node:path';
import type { ApiDefinition } from '../engine/definition/api.ts';
import { valueAt } from '../engine/lib/json-value.ts';
import { Problem } from '../engine/lib/problem.ts';
import { openScenario } from '../engine/scenario/open-scenario.ts';
import type { ReadyScenario } from '../engine/scenario/scenario.ts';
import { builtInNames, openBuiltIn } from '../engine/scenario/built-in.ts';
import { storeApi } from '../shop/store-api.ts';
import { importDefault } from './import-default.ts';
import { listRows } from './arguments.ts';
import { UsageError } from './values.ts';
import { withPage } from '../engine/lib/error-page.ts';
import { thrownMessage } from '../engine/lib/thrown.ts';

/**
 * Returns one line for each built-in scenario: its name and its description.
 *
 * @param columns the width of the terminal; if undefined, nothing is wrapped
 */
export function listScenarios(columns = Infinity, api: ApiDefinition = storeApi): string {
  const rows = builtInNames(api).map((name) => [name, openBuiltIn(api, name).description] as const);
  return listRows(rows, columns).join('\n');
}

/**
 * Returns a built-in scenario, or opens a file of JSON, TypeScript or JavaScript. Paths in the file are relative to it.
 *
 * @param api the API that it is for, at the path where the server has it
 * @param onRead receives the path of each file before it is read: the scenario, those that it extends, and their records
 * @throws UsageError if there is neither a built-in scenario nor a file of this name
 * @throws Problem `invalid` that lists every issue of the file
 */
export async function findScenario(
  nameOrFile: string,
  onRead: (file: string) => void = () => undefined,
  api: ApiDefinition = storeApi,
): Promise<ReadyScenario> {
  if (isBuiltIn(nameOrFile, api)) return openBuiltIn(api, nameOrFile);
  if (!existsSync(nameOrFile)) {
    throw new UsageError(
      withPage(
        'unknown-scenario',
        `Scenario '${nameOrFile}' not found.${hintOf(nameOrFile, builtInNames(api))} Pass a file or one of ${builtInNames(api).join(', ')}.`,
      ),
    );
  }
  return openFile(nameOrFile, [], onRead, api);
}

/** Whether this is the name of a built-in scenario, and not a file. */
export function isBuiltIn(nameOrFile: string, api: ApiDefinition): boolean {
  return builtInNames(api).includes(nameOrFile);
}

/** @param extendedBy the files that extend this one, directly or indirectly */
async function openFile(
  file: string,
  extendedBy: readonly string[],
  onRead: (file: string) => void,
  api: ApiDefinition,
): Promise<ReadyScenario> {
  const self = path.resolve(file);
  if (extendedBy.includes(self)) {
    const cycle = [...extendedBy.slice(extendedBy.indexOf(self)), self];
    const names = cycle.map((one) => path.basename(one)).join(' → ');
    throw new Problem('invalid', `Scenarios must not extend each other in a cycle: ${names}`);
  }
  const resolve = (relative: string): string => path.resolve(path.dirname(file), relative);
  onRead(self);
  const source = isModule.test(self) ? await importDefault(self, exported) : readJson(self);
  const base = valueAt(source, ['extends']);
  const opened =
    typeof base === 'string' && existsSync(resolve(base))
      ? await problemOf(openFile(resolve(base), [...extendedBy, self], onRead, api))
      : undefined;
  return openScenario(
    source,
    {
      api,
      records(records) {
        onRead(resolve(records));
        return readJson(resolve(records));
      },
      base(name) {
        if (opened instanceof Problem) throw opened;
        return opened ?? openBuiltIn(api, name);
      },
    },
    `scenario ${path.basename(file)}`,
  );
}

function problemOf<Value>(result: Promise<Value>): Promise<Value | Problem> {
  return result.catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
}

const isModule = /\.[cm]?[jt]s$/;

const exported = {
  plural: 'scenarios',
  what: 'a scenario',
  example: 'export default defineScenario({ … })',
};

function readJson(file: string): unknown {
  try {
    return readForeignJson(file, jsonLimits.scenario);
  } catch (error) {
    const reason = thrownMessage(error);
    throw new Problem('invalid', `Cannot read ${file}: ${reason}`);
  }
}
