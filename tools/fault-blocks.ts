import * as z from 'zod';
import { faultInput } from '../src/engine/faults/fault-rule.ts';
import { weatherNames, weatherRules } from '../src/engine/faults/weather.ts';
import { weatherTexts } from '../src/engine/faults/weather-texts.ts';
import type { FaultKind } from '../src/engine/faults/fault-kind.ts';
import type { ApiResponse } from '../src/engine/rest/message.ts';
import { storeApi } from '../src/shop/store-api.ts';
import { faultExamples, responsesTo, type FaultExample } from './fault-examples.ts';
import { fieldTable, table, type Schema } from './reference-tables.ts';

/** The schema of a fault as a client writes it. */
export const faultSchema = z.toJSONSchema(faultInput(storeApi.tables.faultRules), {
  io: 'input',
  unrepresentable: 'any',
}) as Schema;

/** Returns a table of the kinds of fault. */
export function faultKindTable(): string {
  const rows = Object.entries(storeApi.faultKinds).map(([name, kind]) => [
    `\`${name}\``,
    faultSchema.properties?.[name]?.description ?? '',
    writesOf(kind),
    kind.prefer === undefined ? 'not possible' : code(`${name}=${preferredOf(name)}`),
  ]);
  return table(['kind', 'what it does', 'what the endpoint writes', '`Prefer`'], rows);
}

function writesOf({ role, allowsAfter }: FaultKind): string {
  if (role === 'delays') return 'is kept';
  if (role === 'changes') return 'is kept; `"after": false` rolls it back';
  const instead = 'nothing, because the endpoint does not run';
  return allowsAfter ? `${instead}; \`"after": true\` runs it and keeps what it writes` : instead;
}

/** Returns the value of a kind in the header of its first example. */
function preferredOf(name: string): string {
  const { prefer } = faultExamples.find(({ shows }) => shows.includes(name)) ?? {};
  return prefer?.split('=')[1] ?? '';
}

/** Returns a table of named weather. */
export function weatherTable(): string {
  const rows = weatherNames.map((name) => {
    const rules = weatherRules(name).map((rule) => code(JSON.stringify(rule)));
    const { text, source } = weatherTexts[name];
    return [code(name), text, rules.length === 0 ? 'none' : rules.join(' '), source];
  });
  return table(['weather', 'what it is', 'faults', 'source of the figures'], rows);
}

/** Returns a table of all fields of a rule. */
export function faultFieldTable(): string {
  return fieldTable(faultSchema);
}

/** Returns a table of the examples, with the responses of a shop. */
export function faultExampleTable(): string {
  const rows = faultExamples.map((example) => [
    example.shows.map(code).join(', '),
    code(JSON.stringify(example.rule)),
    exchangesOf(example),
  ]);
  return table(['field', 'fault', 'requests and their responses'], rows);
}

function exchangesOf(example: FaultExample): string {
  const responses = responsesTo(example);
  return example.requests
    .map((line, at) => `${code(line)} ${shown(responses[at]!, example)}`)
    .join(' · ');
}

function shown(response: ApiResponse, { rule, showsBodies }: FaultExample): string {
  const { status, headers, body = '', delay, hold, connection } = response;
  if (connection === 'drop') return 'no response, the connection closes';
  if (response.deferred !== undefined || hold !== undefined)
    return `held until ${code(String(rule.hold))} is released`;
  const after = delay === undefined ? '' : ` after ${delay} ms`;
  const wait = headers['retry-after'];
  return [
    `${status}${after}`,
    ...(wait === undefined ? [] : [code(`Retry-After: ${wait}`)]),
    ...(showsBodies === true ? [code(shortened(body))] : []),
  ].join(' ');
}

/** Returns the beginning of a body, and its end if it is not that of a whole object. */
function shortened(body: string): string {
  const text = body.replaceAll('\n', ' ');
  return text.length <= 90 ? text : `${text.slice(0, 60)}…${text.slice(-20)}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
