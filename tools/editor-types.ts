import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';

/** Names that an editor must complete at each `|` of the source below. */
const completions: readonly (readonly [at: string, expected: readonly string[]])[] = [
  ["scenario: '", ['default', 'filled-cart', 'large']],
  ["reset('", ['default', 'sale']],
  ["extends: '", ['default', 'sale']],
  ["on: '", ['purchase', 'addressing', 'shipment.ship', 'payment.refund']],
  ["step: '", ['purchase', 'create']],
  ["corrupt: '", ['malformed', 'cut-off']],
  ["shipments: '", ['ship', 'return']],
  ["anOrder({ awaits: '", ['payment', 'purchase']],
  ["theScript({ on: '", ['purchase', 'shipment.ship']],
];

/** Names that an editor shows a text for. */
const hovers: readonly (readonly [name: string, text: string])[] = [
  ['maxLimit', 'Maximum page `limit`'],
  ['auth:', 'Authentication under `/api`'],
  ['outcome', 'Outcome of the purchase'],
  ['corrupt', 'Make the JSON of the response unparsable'],
  ['delay', 'Delay of the response in milliseconds'],
  ['extends', 'Scenario to extend'],
];

/** What users write. Each quoted text is completed at its start. */
export const edited = `
  import { createBackOffice, defineScenario } from 'backlot';
  import { createBackOffice as createListening } from 'backlot/node';
  const office = createBackOffice({ scenario: 'sale', settings: { maxLimit: 10, auth: 'oauth2' } });
  office.reset('empty');
  office.script.add({ on: 'purchase', outcome: 'declined' });
  office.faults.add({ match: { step: 'purchase' }, corrupt: 'malformed', delay: 100 });
  export const own = defineScenario({
    name: 'own',
    description: 'Mine',
    extends: 'default',
    orders: [
      {
        at: '-P1D',
        channel: 1,
        user: 1,
        currency: 'EUR',
        items: [{ variant: 1, quantity: 1 }],
        until: 'purchase',
        then: [{ after: 'P1D', shipments: 'ship' }],
      },
    ],
  });
  const listening = createListening();
  listening.given.anOrder({ awaits: 'payment' });
  listening.given.theScript({ on: 'shipment.ship', refuse: { message: 'No' } });
`;

/** What must not compile, and what must. */
export const typos = `
  import { createBackOffice, defineScenario, Problem, type MountedBackOffice } from 'backlot';
  import * as main from 'backlot';
  import * as node from 'backlot/node';
  // @ts-expect-error -- not the name of a built-in scenario
  createBackOffice({ scenario: 'defualt' });
  const office = createBackOffice();
  // @ts-expect-error -- not the name of a built-in scenario
  office.reset('sales');
  // @ts-expect-error -- not a step of the checkout
  office.script.add({ on: 'purchas', outcome: 'declined' });
  // @ts-expect-error -- not a transition of a shipment
  office.script.add({ on: 'shipment.sell', delay: 1 });
  // @ts-expect-error -- not an outcome
  office.script.add({ on: 'purchase', outcome: 'denied' });
  // @ts-expect-error -- not a kind of fault
  office.faults.add({ statsu: 503 });
  // @ts-expect-error -- not a way to corrupt a response
  office.faults.add({ corrupt: 'cutoff' });
  // @ts-expect-error -- not a step of the checkout
  office.faults.add({ match: { step: 'pay' }, status: 503 });
  // @ts-expect-error -- not a setting
  createBackOffice({ settings: { maxLimits: 1 } });
  // @ts-expect-error -- not a value of this setting
  createBackOffice({ settings: { auth: 'oauth' } });
  defineScenario({ name: 'own', description: 'Of a file', extends: './other.json' });

  // One office is the other, and its errors and types have the same names.
  export const same: MountedBackOffice = node.createBackOffice();
  export const options: main.MountOptions = {} satisfies node.MountOptions;
  export const problem: typeof Problem = node.Problem;
  export const define: typeof defineScenario = node.defineScenario;
  declare const mounted: node.MountedBackOffice;
  export const alsoSame: MountedBackOffice = mounted;
  type Missing = Exclude<keyof typeof main, keyof typeof node>;
  declare const missing: Missing;
  export const none: never = missing;
`;

/**
 * Completes and describes names in a file as an editor does.
 *
 * @param file the path of a file that contains `edited`
 * @throws Error that lists what an editor does not complete or describe
 */
export function checkEditor(file: string, options: ts.CompilerOptions): void {
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) =>
      ts.sys.fileExists(path)
        ? ts.ScriptSnapshot.fromString(readFileSync(path, 'utf8'))
        : undefined,
    getCurrentDirectory: () => join(file, '..'),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath ?? String,
  });
  const text = readFileSync(file, 'utf8');
  const issues = [
    ...service
      .getSemanticDiagnostics(file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    ...completions.flatMap(([at, expected]) => {
      const offered = service.getCompletionsAtPosition(file, text.indexOf(at) + at.length, {});
      const names = offered?.entries.map(({ name }) => name) ?? [];
      const missing = expected.filter((name) => !names.includes(name));
      return missing.map((name) => `an editor does not complete ${at}${name}'`);
    }),
    ...hovers.flatMap(([name, expected]) => {
      const shown = service.getQuickInfoAtPosition(file, text.indexOf(name) + 1)?.documentation;
      const found = ts.displayPartsToString(shown).includes(expected);
      return found ? [] : [`an editor shows no text for ${name}`];
    }),
  ];
  if (issues.length > 0) throw new Error(issues.join('\n'));
}
