import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { orderText } from '../src/shop/explain/explanation-text.ts';
import { openStoreOffice } from '../src/shop/open-store-office.ts';
import type { StoreOffice } from '../src/shop/office/store-office.ts';
import { openSessions } from '../src/engine/sessions/server.ts';
import { diagram } from './state-diagram.ts';
import { machines } from '../src/shop/checkout/machines/transition.ts';
import { controlEndpoints } from '../src/engine/control/endpoints/index.ts';
import { listStates } from '../src/engine/control/endpoints/states.ts';
import { contract } from '../src/shop/resources/index.ts';
import { demoClient, demoUser } from '../src/shop/resources/oauth.ts';
import { builtInScenario, builtInScenarios, storeApi } from '../src/shop/store-api.ts';
import { Settings } from '../src/shop/office/scenario.ts';
import { workflows } from '../src/shop/workflows/index.ts';
import { needsControlApi } from '../src/engine/definition/workflow.ts';
import { documents, textOf } from './documents.ts';
import {
  faultExampleTable,
  faultFieldTable,
  faultKindTable,
  weatherTable,
} from './fault-blocks.ts';

/** The generated blocks of README.md and `docs/`, by the name in the comments around them. */
const blocks: Readonly<Record<string, () => string>> = {
  conversation,
  suite: () => example('suite.test.ts'),
  page: () => example('page.ts'),
  client: () => example('client.ts'),
  'own-app': () => example('own-app.ts'),
  scenarios: scenarioTable,
  states: stateTable,
  'own-scenario': () => example('busy-monday.json'),
  token: tokenConversation,
  control: controlTable,
  machines: machineDiagrams,
  settings: settingsTable,
  extras: extrasTable,
  workflows: workflowTable,
  explain: explanation,
  'fault-kinds': faultKindTable,
  weather: weatherTable,
  'fault-fields': faultFieldTable,
  'fault-examples': faultExampleTable,
};

const root = join(import.meta.dirname, '..');

/** Returns a document with its blocks generated again. */
export function withNewBlocks(text: string): string {
  return Object.entries(blocks).reduce(
    (before, [name, make]) =>
      before.replace(
        new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`),
        (_, start: string, end: string) => `${start}\n${make()}\n\n${end}`,
      ),
    text,
  );
}

interface Turn {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly prefer?: string;
  /** The fields to show (default: all). Others become `…`. */
  readonly shows?: readonly string[];
}

const order = ['id', 'items', 'state', 'checkout_state'];

function explanation(): string {
  const office = openStoreOffice({ scenario: 'sale' });
  return `\`\`\`console\n$ npx backlot explain order 1\n${orderText(office.explain.order(1))}\n\`\`\``;
}

/** The requests of the section “First requests”. */
export const firstRequests: readonly Turn[] = [
  {
    method: 'POST',
    url: '/api/orders/',
    form: { channel: '1', user: '3', currency: 'EUR' },
    shows: order,
  },
  { method: 'POST', url: '/api/orders/121/items/', form: { variant: '7', quantity: '0' } },
  { method: 'PUT', url: '/api/checkouts/121', form: { paymentMethod: '1' } },
  { method: 'GET', url: '/api/orders/121', prefer: 'status=503, delay=2s' },
  { method: 'PUT', url: '/_backlot/clock', form: { advance: 'P1D' } },
  { method: 'GET', url: '/api/orders/121', shows: order },
  { method: 'POST', url: '/_backlot/reset' },
];

function conversation(): string {
  const server = openSessions(openStoreOffice());
  const told = firstRequests.map((turn) => {
    const { method, url, form = {}, prefer, shows } = turn;
    const verb = method === 'GET' ? '' : `-X ${method} `;
    const data = Object.entries(form).map(([name, value]) => ` -d ${name}=${value}`);
    const header = prefer === undefined ? '' : ` -H 'Prefer: ${prefer}'`;
    const command = `$ curl ${verb}localhost:4000${url}${header}${data.join('')}`;
    return `${command}\n${shortened(JSON.parse(send(server, turn)), shows)}`;
  });
  return `\`\`\`console\n${told.join('\n')}\n\`\`\``;
}

function shortened(response: Readonly<Record<string, unknown>>, shows?: readonly string[]): string {
  if (shows === undefined) return laidOut(response, '');
  const parts = Object.entries(response).map(([name, value]) =>
    shows.includes(name) ? `${JSON.stringify(name)}:${JSON.stringify(value)}` : '…',
  );
  const shown = parts.filter((part, at) => part !== '…' || parts[at - 1] !== '…');
  return `{${shown.join(',')}}`;
}

/** Formats JSON on one line if it is short enough, else with one property per line. */
function laidOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || line.length <= 105) return line;
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, one]) => `${inner}${JSON.stringify(name)}: ${laidOut(one, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

const tokenForm = {
  client_id: demoClient.id,
  client_secret: demoClient.secret,
  grant_type: 'password',
  ...demoUser,
};

/** Requests a token and uses it. */
function tokenConversation(): string {
  const office = openStoreOffice({ scenario: 'authenticated' });
  const form = tokenForm;
  const url = '/oauth/v2/token';
  const { access_token: token } = JSON.parse(send(office, { method: 'POST', url, form }));
  office.reset();
  return transcript(office, [
    { method: 'GET', url: '/api/users/1' },
    { method: 'POST', url, form },
    { method: 'GET', url: '/api/users/1', token },
  ]);
}

/** Formats requests as curl commands with their output. */
function transcript(office: StoreOffice, turns: readonly Turn[]): string {
  const told = turns.map((turn) => {
    const { method, url, form, token } = turn;
    const flags = method === 'GET' ? '-g ' : `-X ${method} `;
    const fields = Object.entries(form ?? {});
    const data = fields.map(([name, value]) => ` -d '${name}=${value}'`).join('');
    const header = token === undefined ? '' : ` -H 'Authorization: Bearer ${token}'`;
    const command = `$ curl ${flags}'http://127.0.0.1:4000${url}'${header}${data}`;
    return `${command}\n${JSON.stringify(JSON.parse(send(office, turn)), null, 2)}`;
  });
  return `\`\`\`console\n${told.join('\n')}\n\`\`\``;
}

function send(office: Pick<StoreOffice, 'answer'>, turn: Turn): string {
  const { method, url, form, token, prefer } = turn;
  const fields = Object.entries(form ?? {});
  const { body = '' } = office.answer({
    method,
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(prefer !== undefined && { prefer }),
    },
    body: fields.map(([name, value]) => `${name}=${value}`).join('&'),
  });
  return body;
}

/** Returns a file of `test/readme/`, which tests run unchanged. */
function example(name: string): string {
  const code = readFileSync(join(root, 'test/readme', name), 'utf8');
  return `\`\`\`${name.split('.').at(-1)}\n${code.trim()}\n\`\`\``;
}

function scenarioTable(): string {
  const rows = builtInScenarios.map(
    (name) => `| \`${name}\` | ${builtInScenario(name).description} |`,
  );
  return ['| scenario | description |', '| --- | --- |', ...rows].join('\n');
}

function stateTable(): string {
  const rows = listStates([], storeApi).map(({ name, about }) => `| \`${name}\` | ${about} |`);
  return ['| state | what it has |', '| --- | --- |', ...rows].join('\n');
}

function controlTable(): string {
  const rows = controlEndpoints(storeApi).map(
    ({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`,
  );
  return ['| endpoint | what it does |', '| --- | --- |', ...rows].join('\n');
}

function workflowTable(): string {
  return [
    '| workflow | what it shows | control API |',
    '| --- | --- | --- |',
    ...workflows.map(
      (workflow) =>
        `| \`${workflow.id}\` | ${workflow.summary} | ${needsControlApi(workflow) ? 'yes' : 'no'} |`,
    ),
  ].join('\n');
}

function extrasTable(): string {
  const rows = contract
    .filter(({ isExtra = false }) => isExtra)
    .map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`);
  return ['| endpoint | what it does |', '| --- | --- |', ...rows].join('\n');
}

function machineDiagrams(): string {
  return Object.entries(machines)
    .map(([name, machine]) => {
      const title = `**${name.replaceAll('_', ' ')}**`;
      return `${title}\n\n\`\`\`mermaid\n${diagram(machine)}\n\`\`\``;
    })
    .join('\n\n');
}

function settingsTable(): string {
  const { properties = {} } = z.toJSONSchema(Settings);
  const rows = Object.entries(properties).map(([name, property]) => {
    const { default: standard, description = '' } = property as z.core.JSONSchema.BaseSchema;
    return `| \`${name}\` | ${valuesOf(property)} | ${standard === undefined ? 'none' : `\`${JSON.stringify(standard).replaceAll('"', '')}\``} | ${description} |`;
  });
  return [
    '| setting | values | default | what it decides |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function valuesOf(property: z.core.JSONSchema._JSONSchema): string {
  if (typeof property === 'boolean') return '';
  const choices =
    property.enum ?? property.anyOf?.map((one) => (typeof one === 'boolean' ? '' : one.const));
  return choices === undefined
    ? String(property.type)
    : choices.map((choice) => `\`${String(choice)}\``).join(', ');
}

if (import.meta.main) {
  for (const document of documents) {
    writeFileSync(join(root, document), withNewBlocks(textOf(document)));
  }
}
