import { styleText } from 'node:util';
import * as z from 'zod';
import {
  EntryExplanationView,
  OrderExplanationView,
  StateExplanationView,
  StockExplanationView,
} from '../shop/control/explanation-view.ts';
import { escapeControls, printable } from '../engine/lib/printable.ts';
import { truncate } from '../engine/lib/problem.ts';
import { stateText, type Paint } from '../engine/definition/explanation-text.ts';
import { entryText, orderText, stockText } from '../shop/explain/explanation-text.ts';
import type { Arguments } from './commands.ts';
import { headersOf, isUrl, runningUrl, type RunningServer } from './running-server.ts';
import { readAs } from './tail/received.ts';
import { UsageError } from './values.ts';
import { withPage } from '../engine/lib/error-page.ts';

/** Maximum time for a response, in milliseconds. */
const maxTime = 15_000;

/** What can be explained: its path, given the words after its name, and how it is printed. */
interface Subject<Schema extends z.ZodType> {
  readonly words: number;
  readonly path: (...words: string[]) => string;
  readonly schema: Schema;
  readonly text: (explanation: z.output<Schema>, paint: Paint) => string;
}

const subjects = {
  order: subject(1, (id) => `orders/${id}/why`, OrderExplanationView, orderText),
  stock: subject(1, (variant) => `stock/${variant}/why`, StockExplanationView, stockText),
  state: subject(
    2,
    (machine, id) => `transitions/${machine}/${id}/why`,
    StateExplanationView,
    stateText,
  ),
  entry: subject(1, (id) => `journal/${id}/why`, EntryExplanationView, entryText),
};

/** Hides the type of an explanation, which only its own row knows. */
function subject<Schema extends z.ZodType>(
  ...[words, path, schema, text]: [
    words: number,
    path: Subject<Schema>['path'],
    schema: Schema,
    text: Subject<Schema>['text'],
  ]
): Subject<z.ZodType> {
  return { words, path, schema, text: text as Subject<z.ZodType>['text'] };
}

/**
 * Prints why something of a running server is as it is: `explain order 1`.
 *
 * @throws UsageError for what cannot be explained, and for a server that is not there or refuses
 */
export async function explain(args: Arguments<'explain'>): Promise<void> {
  const { names, token, session, json, at } = args;
  const [what = '', ...words] = names.filter((name) => !isUrl(name));
  const found = Object.entries(subjects).find(([name]) => name === what)?.[1];
  if (found?.words !== words.length) {
    throw new UsageError(
      'explain requires what to explain: order <id>, stock <variant>, state <machine> <id> or entry <id>.',
    );
  }
  if (at !== undefined && what !== 'order')
    throw new UsageError('--at belongs to an order: explain order <id> --at <entry>.');
  const server = { url: runningUrl(names.find(isUrl), args), token, session };
  const query = at === undefined ? '' : `?at=${at}`;
  const explanation = await read(
    server,
    `${found.path(...words.map(encodeURIComponent))}${query}`,
    found.schema,
  );
  console.log(
    json ? escapeControls(JSON.stringify(explanation)) : found.text(explanation, styleText),
  );
}

const ErrorBody = z.object({ message: z.string() });

async function read(server: RunningServer, path: string, schema: z.ZodType): Promise<unknown> {
  const { url } = server;
  const response = await fetch(`${url}/_backlot/${path}`, {
    headers: headersOf(server),
    // Another server must not receive the token.
    redirect: 'manual',
    signal: AbortSignal.timeout(maxTime),
  }).catch(() => undefined);
  if (response === undefined) {
    throw new UsageError(
      withPage('no-response', `No response from ${url}. Is the server running?`),
    );
  }
  if (response.status === 401)
    throw new UsageError(
      withPage(
        'control-api-token',
        `${url} requires the token of its control API: --token <token>.`,
      ),
    );
  const explanation = response.ok ? await readAs(schema, response) : undefined;
  if (explanation !== undefined) return explanation;
  const { message } = (response.ok ? undefined : await readAs(ErrorBody, response)) ?? {};
  throw new UsageError(
    message === undefined
      ? `${url} has no explanations of Backlot: status ${response.status}.`
      : printable(truncate(message)),
  );
}
