import { styleText } from 'node:util';
import { listStates } from '../engine/control/endpoints/states.ts';
import { OpenedView, type StateView } from '../engine/definition/named-state.ts';
import { printable } from '../engine/lib/printable.ts';
import { hintOf } from '../engine/lib/unknown-keys.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { builtInNames, openBuiltIn } from '../engine/scenario/built-in.ts';
import { listRows } from './arguments.ts';
import type { Arguments } from './commands.ts';
import { loadApi } from './config.ts';
import {
  curlLine,
  httpUrl,
  isUrl,
  requestOf,
  runningUrl,
  sessionUrl,
  type RunningServer,
} from './running-server.ts';
import { jsonLine, printWrapped, widthOf } from './terminal.ts';
import { UsageError } from './values.ts';

/**
 * Prints the states that can be opened by name, or each way to open one of them.
 *
 * @throws UsageError for the name of no state, and for more than one
 */
export async function printStates(args: Arguments<'states'>): Promise<void> {
  const { names, host, port, basePath, ...flags } = args;
  const api = await loadApi(flags);
  const scenarios = builtInNames(api).map((name) => openBuiltIn(api, name));
  const states = listStates(scenarios, api);
  const [wanted, ...others] = names;
  if (others.length > 0) throw new UsageError('states accepts the name of one state.');
  if (wanted === undefined) {
    console.log(listOf(states, scenarios.length));
    printWrapped('\n`npx backlot states <state>` prints each way to open one.');
    return;
  }
  const state = states.find(({ name }) => name === wanted);
  if (state === undefined) throw unknownState(wanted, states);
  const url = httpUrl(host, port, basePath);
  const path = encodeURIComponent(wanted);
  const ways = [
    ['in a terminal', `npx backlot open ${wanted}`],
    ['by curl', `curl -X POST ${quoted(`${url}/_backlot/states/${path}`)}`],
    ['by a link', `${url}/_backlot/begin?state=${path}`],
    ['in a page', `startWorker({ state: '${wanted}' })`],
    ['in a test', state.line],
  ] as const;
  printWrapped(`${wanted}: ${state.about}\n`);
  console.log(rowsOf(ways).join('\n'));
}

/** Returns the rows of the scenarios, and those of the states of each record, below a heading. */
function listOf(states: readonly StateView[], scenarios: number): string {
  const rows = rowsOf(states.map(({ name, about }) => [name, about]));
  const headings = states.map(({ name }, at) => (at < scenarios ? 'Scenarios' : headingOf(name)));
  const groups = Map.groupBy(rows.entries(), ([at]) => headings[at]);
  return Array.from(groups, ([heading, group]) =>
    [styleText('bold', `${heading}:`), ...group.map(([, row]) => row)].join('\n'),
  ).join('\n\n');
}

/** `inventory_unit.sold` → `Inventory unit states` */
function headingOf(name: string): string {
  const record = name.slice(0, name.indexOf('.')).replaceAll('_', ' ');
  return `${record.slice(0, 1).toUpperCase()}${record.slice(1)} states`;
}

function rowsOf(rows: readonly (readonly [name: string, text: string])[]): string[] {
  return listRows(rows, widthOf(process.stdout));
}

function unknownState(name: string, states: readonly { readonly name: string }[]): UsageError {
  const hint = hintOf(
    name,
    states.map((one) => one.name),
  );
  return new UsageError(`State '${name}' not found.${hint} \`backlot states\` lists them.`);
}

/**
 * Opens a state in a running server, and prints what was opened: the id of the order, its address and what it awaits.
 *
 * @throws UsageError for the name of no state, and for a server that is not there or refuses
 */
export async function open(args: Arguments<'open'>): Promise<void> {
  const { token, session, json } = args;
  const [name, ...others] = args.names.filter((word) => !isUrl(word));
  if (name === undefined || others.length > 0)
    throw new UsageError('open requires the name of one state. `backlot states` lists them.');
  const server = { url: runningUrl(args.names.find(isUrl), args), token, session };
  const opened = await requestOf(server, `states/${encodeURIComponent(name)}`, {
    method: 'POST',
    schema: OpenedView,
    what: 'states',
  });
  console.log(
    json
      ? jsonLine(opened)
      : openedLines(opened, server)
          .map((line) => printable(line))
          .join('\n'),
  );
}

function openedLines(opened: OpenedView, server: RunningServer): string[] {
  const { state, record, id, part, url, awaits, next, needsToken } = opened;
  const base = sessionUrl(server);
  const headers = needsToken === true ? ['Authorization: Bearer <access token>'] : [];
  if (record === undefined) return [`The shop is reset to ${state}.`, `studio  ${base}/_backlot/`];
  const waiting = awaits === undefined ? 'awaits no step' : `awaits ${awaits}`;
  return [
    `${record} ${id} ${waiting}`,
    ...(part === undefined
      ? []
      : [
          `${part.record.replaceAll('_', ' ')} ${part.id} is ${state.slice(state.indexOf('.') + 1)}`,
        ]),
    `address ${base}${url}`,
    ...(next === undefined ? [] : [`next    ${curlLine(server, next, headers)}`]),
    `studio  ${base}/_backlot/#/${record}s/${id}`,
  ];
}
