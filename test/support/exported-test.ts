import { stripTypeScriptTypes } from 'node:module';
import { expect } from 'vitest';
import { storeApi } from '../../src/define.ts';
import type { ApiDefinition } from '../../src/engine/definition/api.ts';
import { createBackOffice, defineScenario, type BackOfficeOptions } from '../../src/index.ts';

interface ExportedTest {
  readonly title: string;
  readonly run: () => Promise<void>;
}

/** Runs the test of a file that a history has exported. @param api the definition that the file imports */
export async function runExported(
  source: string,
  api: ApiDefinition = storeApi,
): Promise<{ readonly title: string }> {
  const found: ExportedTest[] = [];
  const base = {
    extend: ({ officeOptions }: { officeOptions: BackOfficeOptions }) => {
      return (title: string, ...rest: unknown[]) => {
        const work = rest.at(-1) as (context: object) => Promise<void>;
        const run = (): Promise<void> => work({ office: createBackOffice(officeOptions) });
        found.push({ title, run });
      };
    },
  };
  const code = stripTypeScriptTypes(source.replaceAll(/^import .*$/gm, ''));
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the source is what is tested
  new Function('defineScenario', 'base', 'expect', 'api', code)(defineScenario, base, expect, api);
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) throw new Error('The file must have one test.');
  await only.run();
  return only;
}
