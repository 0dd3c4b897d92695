import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from 'vitest';
import { isObject } from '../../src/engine/lib/json-value.ts';
import { demoLimits } from '../../src/engine/sessions/demo.ts';
import { openServer, type TestServer } from '../support/server.ts';

let demo: TestServer;

beforeEach(() => {
  let visitors = 0;
  demo = openServer({
    ...demoLimits,
    maxImportBytes: demoLimits.maxImportBytes,
    newName: () => `visitor-${++visitors}`,
    scenarios: ['default', 'empty', 'sale'],
    fixedStarts: true,
    history: true,
  });
});

function at(name: string) {
  return (line: string, body?: unknown) => demo.call(line.replace(' ', ` /s/${name}`), body);
}

/** Returns the files of a session in which something has happened, by their kinds, each with the place of its start. */
function filesOf(name: string) {
  const call = at(name);
  call('DELETE /api/users/22');
  call('POST /_backlot/reset', { scenario: 'default' });
  call('DELETE /api/users/23');
  const exported = call('GET /_backlot/export').body;
  const trace = call('GET /_backlot/trace').body;
  const scenario = call('GET /_backlot/journal/export?as=scenario').body;
  const last = trace.entries.findLastIndex(({ jump }: Record<string, unknown>) => isObject(jump));
  return [
    { kind: 'reset', url: '/_backlot/reset', file: {}, place: [] },
    { kind: 'export', url: '/_backlot/import', file: exported, place: [] },
    { kind: 'trace', url: '/_backlot/import', file: trace, place: ['start'] },
    {
      kind: 'trace',
      url: '/_backlot/import',
      file: trace,
      place: ['entries', last, 'jump', 'state'],
    },
    { kind: 'scenario', url: '/_backlot/import', file: scenario, place: [] },
  ] as const;
}

/** Returns a file with another value at a place. */
function changed(file: unknown, [key, ...place]: readonly (string | number)[]): unknown {
  if (key === undefined) return other(file);
  if (Array.isArray(file))
    return file.map((one, index) => (index === key ? changed(one, place) : one));
  const fields: Record<PropertyKey, unknown> = isObject(file) ? { ...file } : {};
  return { ...fields, [key]: changed(fields[key], place) };
}

function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (isObject(value)) return { ...value, maxLimit: 7 };
  return typeof value === 'string' && !/^\d{4}-/.test(value) ? 'large' : '2031-03-02T09:00:00+0000';
}

/** The part of a start, the kind of a file, and where it has that part. */
const walked = [
  ['scenario', 'reset', 'scenario'],
  ['scenario', 'export', 'scenario'],
  ['scenario', 'trace', 'name'],
  ['base', 'trace', 'extends'],
  ['base', 'scenario', 'extends'],
  ['seed', 'reset', 'seed'],
  ['seed', 'export', 'seed'],
  ['seed', 'trace', 'seed'],
  ['now', 'reset', 'now'],
  ['now', 'trace', 'changes', 'since'],
  ['settings', 'export', 'settings'],
  ['settings', 'trace', 'settings'],
].map(([part = '', kind = '', ...key]) => ({ part, kind, key }));

test.for(walked)(
  'a visitor of a demo may name no other $part in a file of the kind $kind than in a reset',
  ({ part, kind, key }) => {
    const places = filesOf('ada').filter((one) => one.kind === kind);
    expect(places).not.toEqual([]);
    const call = at('eve');
    call('DELETE /api/users/22');
    const before = call('GET /_backlot/export').body;
    for (const { url, file, place } of places) {
      const sent =
        kind === 'reset' && part === 'seed' ? { seed: 7 } : changed(file, [...place, ...key]);
      const named = kind === 'reset' && part === 'scenario' ? { scenario: 'large' } : sent;
      const { status, body } = call(`POST ${url}`, named);
      expect([status, body.message]).toEqual(
        kind === 'scenario'
          ? [403, 'This server accepts no scenarios of its clients.']
          : part === 'scenario' || part === 'base'
            ? [404, "Scenario 'large' not found. Choose one of default, empty, sale."]
            : [403, expect.stringContaining('accepts no seed and no start time')],
      );
    }
    expect(call('GET /_backlot/export').body).toEqual(before);
  },
);

test('a visitor of a demo imports the files of another session of it', () => {
  const files = filesOf('ada').filter(({ kind }) => kind === 'export' || kind === 'trace');
  const [exported, trace] = [files[0]?.file, files[1]?.file];
  const call = at('eve');
  for (const file of [exported, trace]) {
    expect(call('POST /_backlot/import', file)).toMatchObject({ status: 200 });
    expect(call('GET /_backlot/export').body.tables).toEqual(exported.tables);
  }
  call('PUT /_backlot/clock', { advance: 'P1D' });
  const again = call('GET /_backlot/trace').body;
  for (const name of ['eve', 'bob'])
    expect(at(name)('POST /_backlot/import', again)).toMatchObject({ status: 200 });
});

test('on a server with a list of scenarios, a file can extend no other one', () => {
  const { call } = openServer({ scenarios: ['empty'], history: true });
  const trace = call('GET /_backlot/trace').body;
  const start = { ...trace.start, extends: 'large' };
  for (const file of [
    { ...trace, start },
    { name: 'mine', description: '', extends: 'large' },
  ])
    expect(call('POST /_backlot/import', file)).toMatchObject({
      status: 404,
      body: { message: "Scenario 'large' not found. Choose one of default, empty." },
    });
});

const [at1, frozen] = [
  '2026-03-02T09:00:00+0000',
  { now: '2026-03-02T09:00:00+0000', mode: 'frozen' },
];

/** Returns a trace with resets, each to a state. */
function withResets(trace: object, states: readonly object[]) {
  const entries = states.map((state, index) => ({
    id: index + 1,
    at: at1,
    by: 'reset',
    title: 'reset',
    clock: frozen,
    changed: 0,
    meaning: '',
    jump: { to: 0, isRewind: false, clock: frozen, state },
  }));
  return { ...trace, lost: 0, entries };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the memory of what is reachable, in MiB. */
function usedMemory(): number {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
}

test('a trace whose resets have hundreds of different states takes little memory in a demo', () => {
  const call = at('eve');
  const trace = call('GET /_backlot/trace').body;
  const states = Array.from({ length: 400 }, (_, index) => ({
    ...trace.start,
    changes: {
      ...trace.start.changes,
      tables: { users: { next_id: 100 + index }, products: { next_id: 500 } },
    },
  }));
  const before = usedMemory();
  expect(call('POST /_backlot/import', withResets(trace, states))).toMatchObject({ status: 200 });
  expect(usedMemory() - before).toBeLessThan(12);
});

test('repeated imports of traces exceed the records of a session no more than one', () => {
  const call = at('eve');
  const first = call('GET /_backlot/trace').body;
  const [address] = call('GET /_backlot/export').body.tables.addresses.rows;
  const withAddresses = (count: number) => ({
    ...first,
    start: {
      ...first.start,
      changes: {
        ...first.start.changes,
        tables: {
          addresses: {
            next_id: 9000,
            rows: Array.from({ length: count }, (_, index) => ({ ...address, id: 2000 + index })),
          },
        },
      },
    },
  });
  expect(call('POST /_backlot/import', withAddresses(250))).toMatchObject({ status: 200 });
  call('POST /_backlot/reset');
  expect(call('POST /_backlot/import', withAddresses(350))).toMatchObject({ status: 429 });
});
