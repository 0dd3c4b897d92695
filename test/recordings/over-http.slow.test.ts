import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runCommand, startServer, type Server } from '../support/command.ts';
import { act, type Act } from '../support/history-acts.ts';
import { scenarios } from '../support/random-shop.ts';
import { runs } from '../support/runs.ts';
import { temporaryFolder } from '../support/suite.ts';

const numRuns = runs(6);
const timeout = 60_000 + numRuns * 10_000;

interface Served {
  readonly scenario: string;
  readonly clock: string;
  readonly acts: readonly Act[];
}

const served: fc.Arbitrary<Served> = fc.record({
  scenario: fc.constantFrom(...scenarios),
  clock: fc.constantFrom('frozen', 'ticking'),
  acts: fc.array(act, { minLength: 1, maxLength: 12 }),
});

/** Starts a server, and sends requests to it. What an act does by other means is left out. */
async function serve({ scenario, clock, acts }: Served): Promise<Server> {
  const server = await startServer('--scenario', scenario, '--clock', clock, '--quiet');
  const { call } = server;
  for (const run of acts) {
    const sent = Promise.resolve({ call } as Parameters<Act>[0]).then(run);
    await sent.catch(() => undefined);
  }
  // Without one, there is nothing to replay.
  await call('GET /api/channels/');
  return server;
}

async function exported({ url }: Server, path: string): Promise<string> {
  return (await fetch(`${url}/_backlot/${path}`)).text();
}

/** Returns what a server says of its history: its entries, and why each came out as it did. */
async function told({ call }: Server): Promise<unknown> {
  const { summaries } = (await call('GET /_backlot/journal?view=summary&limit=1000')).body as {
    readonly summaries: readonly { readonly id: number }[];
  };
  const whys = summaries.map(({ id }) => call(`GET /_backlot/journal/${id}/why`));
  return asInTrace([summaries, ...(await Promise.all(whys)).map(({ body }) => body as unknown)]);
}

/** The clock of a trace is frozen. The secrets of a scenario are public, and masked once its trace is opened. */
function asInTrace(value: unknown): unknown {
  const hidden = ['mode', 'password', 'salt'];
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) => (hidden.includes(key) ? undefined : one)),
  );
}

test(
  'a file and a trace that a server exports open in another one with the same shop and history',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(served, async (of) => {
        const server = await serve(of);
        const file = await exported(server, 'export');
        // An import replaces records, the clock and rules, but not the scenario to which a reset leads.
        const { scenario } = JSON.parse(file) as { readonly scenario: string };
        const other = await startServer('--scenario', scenario, '--quiet');
        const open = (body: unknown) => other.call('POST /_backlot/import', body);
        expect(await open(JSON.parse(file))).toMatchObject({ status: 200 });
        expect(await exported(other, 'export')).toBe(file);
        const trace = await exported(server, 'trace');
        expect(await open(JSON.parse(trace))).toMatchObject({ status: 200 });
        expect(await told(other)).toEqual(await told(server));
        await Promise.all([server.stop(), other.stop()]);
      }),
      { numRuns },
    );
  },
);

test(
  'npx backlot replay finds no difference in what a server exports as HAR',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(served, async (of) => {
        const server = await serve(of);
        const file = join(temporaryFolder(), 'own.har');
        writeFileSync(file, await exported(server, 'journal/export?as=har'));
        await server.stop();
        const { code, out, err } = await runCommand('replay', file);
        expect(code, out + err).toBe(0);
        expect(out).toContain('no differences in');
      }),
      { numRuns },
    );
  },
);

const login = {
  grant_type: 'password',
  client_id: 'demo_client',
  client_secret: 'secret_demo_client',
  username: 'api@example.com',
  password: 'api',
};

/** Returns the responses to reads of the store API. */
async function answers({ call }: Server): Promise<unknown[]> {
  const { access_token: token } = (await call('POST /oauth/v2/token', login)).body;
  const reads = ['orders/?limit=100', 'users/?limit=100', 'products/?limit=100', 'channels/'];
  const sent = reads.map((path) =>
    call(`GET /api/${path}`, undefined, { authorization: `Bearer ${token}` }),
  );
  return (await Promise.all(sent)).map(({ status, body }) => {
    expect(status).toBe(200);
    return body as unknown;
  });
}

test.each(scenarios)(
  'npx backlot pull writes a scenario of a server of %s that answers the same reads',
  async (scenario) => {
    const server = await startServer('--scenario', scenario, '--quiet');
    await server.call('DELETE /_backlot/faults');
    const file = join(temporaryFolder(), 'shop.json');
    const user = scenario === 'authenticated' ? ['--user', 'api@example.com:api'] : [];
    const { code, err } = await runCommand('pull', server.url, '-o', file, ...user);
    expect(code, err).toBe(0);
    const other = await startServer('--scenario', file, '--quiet');
    expect(await answers(other)).toEqual(await answers(server));
  },
);
