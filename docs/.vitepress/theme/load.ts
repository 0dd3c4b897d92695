import type { Office } from './shop.ts';

/** What a block imports, and where it prints. */
export interface Host {
  /** Prints a line of output. */
  readonly print: (line: string) => void;
  /** The last back office that the block has opened. */
  office: Office | undefined;
}

/** Returns what a block of a page runs with, in the order of the parameters of its function. */
export function scopeOf(host: Host) {
  return {
    load: (name: keyof ReturnType<typeof modulesOf>) => modulesOf(host)[name](),
    show: (value: unknown) => {
      if (value !== undefined) host.print(textOf(value));
    },
    fetch: (input: string | URL | Request, init?: RequestInit) => call(host, input, init),
    console: { log: (...values: unknown[]) => host.print(values.map(textOf).join(' ')) },
  };
}

/** Answers what a block sends to any origin, as an interception does. */
async function call(
  host: Host,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const office = (host.office ??= (await import('backlot')).createBackOffice());
  return office.fetch(input, init);
}

/** Options of `listen`, of tests and of workers. They have no effect in a page of the site. */
interface OptionsElsewhere {
  readonly onUnhandledRequest?: unknown;
  readonly clients?: unknown;
  readonly handlers?: unknown;
  readonly workerUrl?: unknown;
  readonly keep?: unknown;
  readonly quiet?: unknown;
  readonly trace?: unknown;
}

/** The modules that blocks import. In a page, all requests of a block go to the last back office. */
function modulesOf(host: Host) {
  const opened = async () => {
    const [backlot, { givenFor }] = await Promise.all([
      import('backlot'),
      import('backlot/testing'),
    ]);
    type Options = NonNullable<Parameters<typeof backlot.createBackOffice>[0]>;
    return (options: Options & OptionsElsewhere = {}) => {
      const { onUnhandledRequest, clients, handlers, workerUrl, keep, quiet, trace, ...own } =
        options;
      const office = backlot.createBackOffice(own);
      host.office = office;
      return Object.assign(office, { given: givenFor(office), listen() {}, close() {} });
    };
  };
  const inNode = async () => ({ ...(await import('backlot')), createBackOffice: await opened() });
  const tests = async () => {
    const createBackOffice = await opened();
    const createTest = (options: Parameters<typeof createBackOffice>[0] = {}) => {
      let chosen = options;
      const test = async (title: string, work: (fixtures: object) => unknown) => {
        await work({ office: createBackOffice({ history: true, ...chosen }) });
        host.print(`✓ ${title}`);
      };
      return Object.assign(test, {
        override({ officeOptions }: { readonly officeOptions: typeof options }) {
          chosen = { ...chosen, ...officeOptions };
        },
      });
    };
    return { createTest, test: createTest() };
  };
  return {
    backlot: inNode,
    'backlot/node': inNode,
    'backlot/browser': async () => ({ startWorker: await opened() }),
    'backlot/client': () => import('backlot/client'),
    'backlot/define': () => import('backlot/define'),
    'backlot/fetch': () => import('backlot/fetch'),
    'backlot/testing': () => import('backlot/testing'),
    'backlot/vitest': tests,
    vitest: () => import('./expect.ts'),
  };
}

/** Returns a value as JSON, each entry of a list or an object in a line if it is short. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value, null, 2) ?? String(value);
  const short = JSON.stringify(value) ?? '';
  return short.length <= 90 ? short : text;
}
