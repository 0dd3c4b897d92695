import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { openBackOffice, type BackOffice } from '../src/office/open-back-office.ts';
import { diagram } from '../src/checkout/machines/diagram.ts';
import { machines } from '../src/checkout/machines/transition.ts';
import { controlEndpoints } from '../src/control/endpoints/index.ts';
import { contract } from '../src/resources/index.ts';
import { demoClient, demoUser } from '../src/resources/oauth.ts';
import { builtInScenario, builtInScenarios } from '../src/scenario/built-in.ts';
import { Settings } from '../src/scenario/settings.ts';

/** The parts of README.md that are made from the code, by the name of the comments around them. */
const blocks: Readonly<Record<string, () => string>> = {
  conversation,
  suite: () => example('suite.test.ts'),
  page: () => example('page.ts'),
  'own-app': () => example('own-app.ts'),
  client: () => example('client.ts'),
  scenarios: scenarioTable,
  'own-scenario': () => example('busy-monday.json'),
  token: tokenConversation,
  control: controlTable,
  machines: machineDiagrams,
  settings: settingsTable,
  extras: extrasTable,
};

const file = new URL('../README.md', import.meta.url);

export function readme(): string {
  return readFileSync(file, 'utf8');
}

/** README.md as it has to be: its blocks made anew. */
export function renewed(text: string): string {
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
}

const talk: readonly Turn[] = [
  {
    method: 'POST',
    url: '/api/orders/',
    form: { channel: '1', user: '3', currency: 'EUR' },
  },
  { method: 'POST', url: '/api/orders/121/items/', form: { variant: '7', quantity: '0' } },
  { method: 'PUT', url: '/api/checkouts/121', form: { paymentMethod: '1' } },
  { method: 'GET', url: '/api/payments/?criteria[number]=000000002' },
];

function conversation(): string {
  return transcript(openBackOffice(), talk);
}

const tokenForm = {
  client_id: demoClient.id,
  client_secret: demoClient.secret,
  grant_type: 'password',
  ...demoUser,
};

/** How a token is got and shown. */
function tokenConversation(): string {
  const office = openBackOffice({ scenario: 'authenticated' });
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

/** What curl is told and what it prints. */
function transcript(office: BackOffice, turns: readonly Turn[]): string {
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

function send(office: BackOffice, { method, url, form, token }: Turn): string {
  const fields = Object.entries(form ?? {});
  const { body = '' } = office.answer({
    method,
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: fields.map(([name, value]) => `${name}=${value}`).join('&'),
  });
  return body;
}

/** A file of `test/readme/`, where it is run as it stands. */
function example(name: string): string {
  const code = readFileSync(new URL(`../test/readme/${name}`, import.meta.url), 'utf8');
  return `\`\`\`${name.split('.').at(-1)}\n${code.trim()}\n\`\`\``;
}

function scenarioTable(): string {
  const rows = builtInScenarios.map(
    (name) => `| \`${name}\` | ${builtInScenario(name).description} |`,
  );
  return ['| scenario | the situation |', '| --- | --- |', ...rows].join('\n');
}

function controlTable(): string {
  const rows = controlEndpoints.map(
    ({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`,
  );
  return ['| door | what it does |', '| --- | --- |', ...rows].join('\n');
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

if (import.meta.main) writeFileSync(file, renewed(readme()));
