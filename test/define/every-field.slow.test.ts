import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { openBuiltIn } from '../../src/engine/scenario/built-in.ts';
import { scenarioJsonSchema } from '../../src/engine/scenario/json-schema.ts';
import { SessionTexts } from '../../src/mounts/stores/saved-session.ts';
import { everyField } from '../support/every-field-api.ts';
import { contents, openOffice } from '../support/office.ts';

/** Of each kind: the parameter of a gadget, its field in records, what it is changed to, and what its form refuses. */
const kinds = [
  ['text', 'text', 'Chair', 'x'],
  ['integer', 'integer', 9, 10],
  ['decimal', 'decimal', 2.5, 0.4],
  ['money', 'money', 750, -1],
  ['flag', 'flag', false, 'perhaps'],
  ['time', 'time', '2026-04-01T10:00:00+0000', 'tomorrow'],
  ['oneOf', 'colour', 'green', 'blue'],
  ['texts', 'texts', ['two', 'three'], []],
  ['ref', 'ref', 2, 9999],
  ['refs', 'refs', [9, 7], [9999]],
] as const;

const open = () => openOffice({ api: everyField, history: true });
const gadgetIn = ({ db }: Pick<ReturnType<typeof open>, 'db'>) => db.gadgets.all()[0];

test('the kinds are those of the definition, which has each that there is', () => {
  const { fields } = everyField.addedResources['gadgets']!;
  const stored = Object.keys(fields).filter((name) => fields[name]?.compute === undefined);
  expect(kinds.map(([name]) => name)).toEqual(stored);
  const all = [...stored, 'computed'];
  expect(Object.keys(field).filter((kind) => !all.includes(kind))).toEqual([]);
});

test.each(kinds)(
  'a field of kind %s is in the history with its difference, and taken back',
  async (...kind) => {
    const [parameter, name, value] = kind;
    const office = open();
    const before = gadgetIn(office);
    await office.call('PATCH /api/gadgets/1', { [parameter]: value });
    expect(gadgetIn(office)).toMatchObject({ [name]: value });
    const [{ change } = {}] = office.history.of('gadgets', 1);
    expect(change?.fields).toContainEqual({ field: name, before: before?.[name], after: value });
    expect(office.history.past('gadgets', 1, 0).record).toEqual(before);
    office.rewind(1, 'before');
    expect(gadgetIn(office)).toEqual(before);
  },
);

test.each(kinds)(
  'a field of kind %s is in snapshots, resets, exports and stores',
  async (...kind) => {
    const [parameter, name, value] = kind;
    const office = open();
    const [at, initial] = [contents(office), gadgetIn(office)];
    office.snapshot('before');
    await office.call('PATCH /api/gadgets/1', { [parameter]: value });
    const changed = gadgetIn(office);
    expect(changed).toMatchObject({ [name]: value });
    const file: unknown = JSON.parse(JSON.stringify(office.export()));
    const texts = new SessionTexts('1', (scenario) => openBuiltIn(everyField, scenario));
    const saved = texts.write(office, 0);
    office.restore('before');
    expect(contents(office)).toBe(at);
    office.import(file);
    expect(gadgetIn(office)).toEqual(changed);
    office.reset();
    expect(gadgetIn(office)).toEqual(initial);
    const other = open();
    expect(texts.read(saved, () => other as never)).toBeUndefined();
    expect(gadgetIn(other)).toEqual(changed);
  },
);

test.each(kinds)(
  'a file with a field of kind %s is refused by a definition that lacks it',
  async (...kind) => {
    const [parameter, name] = kind;
    const { [parameter]: _, ...others } = everyField.addedResources['gadgets']!.fields;
    const api = extendApi(storeApi, {
      fields: { users: { tags: field.texts({ default: [] }) } },
      resources: { gadgets: resource({ singular: 'gadget', fields: others }) },
    });
    const office = createBackOffice({ api });
    const before = JSON.stringify(office.export());
    expect(() => office.import(open().export() as never)).toThrow(
      new RegExp(`Unrecognized fields: .*"gadgets\\.${name}"`),
    );
    expect(JSON.stringify(office.export())).toBe(before);
  },
);

test.each(kinds)(
  'a request with a field of kind %s that a fault refuses writes nothing',
  async (...kind) => {
    const [parameter, , value] = kind;
    const office = open();
    const before = contents(office);
    const line = 'PATCH /api/gadgets/1';
    const body = { [parameter]: value };
    expect((await office.call(line, body, { prefer: 'status=503' })).status).toBe(503);
    const path = '/api/gadgets/:id';
    office.faults.add({ match: { method: 'PATCH', path }, status: 500, first: 1 });
    expect((await office.call(line, body)).status).toBe(500);
    office.faults.clear();
    expect(contents(office)).toBe(before);
    expect((await office.call(line, body)).status).toBe(204);
  },
);

const schema = new Ajv2020({ strict: false }).compile(scenarioJsonSchema(everyField));

/** The kinds of which scenarios refuse what forms refuse. A form has more rules than a record. */
const alsoInScenarios = ['integer', 'flag', 'time', 'oneOf', 'ref', 'refs'];

test.each(kinds)('scenarios and their schema check a field of kind %s', (...kind) => {
  const [parameter, name, value, bad] = kind;
  const { data } = everyField.sources.scenarios['default'] as {
    readonly data: { readonly gadgets: readonly object[] };
  };
  const scenarioWith = (one: unknown) => ({
    name: 'own',
    description: 'With a gadget',
    extends: 'default',
    data: { gadgets: [{ ...data.gadgets[0], [name]: one }] },
  });
  const openWith = (one: unknown) =>
    createBackOffice({ api: everyField, scenario: scenarioWith(one) as never });
  expect(schema(scenarioWith(value)), JSON.stringify(schema.errors)).toBe(true);
  expect(openWith(value).db.gadgets.all()[0]).toMatchObject({ [name]: value });
  const wrong = typeof value === 'string' ? 5 : 'x';
  expect(schema(scenarioWith(wrong))).toBe(false);
  for (const one of alsoInScenarios.includes(parameter) ? [wrong, bad] : [wrong])
    expect(() => openWith(one)).toThrow(`data.gadgets.0.${name}`);
});

test.each(kinds)('a field of kind %s has its place in the error tree', async (...kind) => {
  const [parameter, , , bad] = kind;
  const office = open();
  const before = contents(office);
  const { status, body } = await office.call('PATCH /api/gadgets/1', { [parameter]: bad });
  expect(status).toBe(400);
  expect(JSON.stringify(body.errors.children[parameter])).toContain('"errors"');
  const others = Object.entries<object>(body.errors.children).filter(([one]) => one !== parameter);
  expect(JSON.stringify(others)).not.toContain('errors');
  expect(contents(office)).toBe(before);
});
