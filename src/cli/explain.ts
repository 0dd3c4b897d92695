import { styleText } from 'node:util';
import type * as z from 'zod';
import {
  EntryExplanationView,
  OrderExplanationView,
  StateExplanationView,
  StockExplanationView,
} from '../shop/office/explanation-view.ts';
import type { NextRequest } from '../engine/definition/explanation.ts';
import { stateText, type Paint } from '../engine/definition/explanation-text.ts';
import { entryText, orderText, stockText } from '../shop/explain/explanation-text.ts';
import type { Arguments } from './commands.ts';
import { Brief } from './tail/received.ts';
import { curlLine, isUrl, requestOf, runningUrl, type RunningServer } from './running-server.ts';
import { jsonLine, printWrapped } from './terminal.ts';
import { UsageError } from './values.ts';

/** A thing to explain: its path, given the words after its name, and how it is read and printed. */
interface Subject {
  readonly words: number;
  readonly path: (...words: string[]) => string;
  readonly read: (server: RunningServer, path: string) => Promise<Explained>;
}

interface Explained {
  readonly explanation: unknown;
  readonly text: string;
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

function subject<Schema extends z.ZodType>(
  words: number,
  path: Subject['path'],
  schema: Schema,
  textOf: (
    explanation: z.output<Schema>,
    paint: Paint,
    lineOf: (request: NextRequest) => string,
  ) => string,
): Subject {
  const readText = async (server: RunningServer, where: string): Promise<Explained> => {
    const explanation = await requestOf(server, where, { schema, what: 'explanations' });
    const lineOf = (request: NextRequest): string => curlLine(server, request);
    return { explanation, text: textOf(explanation, styleText, lineOf) };
  };
  return { words, path, read: readText };
}

/**
 * Prints why something of a running server is as it is: `explain order 1`.
 *
 * @throws UsageError for what cannot be explained, and for a server that is not there or refuses
 */
export async function explain(args: Arguments<'explain'>): Promise<void> {
  const { names, token, session, json, brief, at } = args;
  const [what = '', ...words] = names.filter((name) => !isUrl(name));
  const found = Object.entries(subjects).find(([name]) => name === what)?.[1];
  if (found?.words !== words.length) {
    throw new UsageError(
      'explain requires what to explain: order <id>, stock <variant>, state <machine> <id> or entry <id>.',
    );
  }
  if (at !== undefined && what !== 'order')
    throw new UsageError('--at belongs to an order: explain order <id> --at <entry>.');
  if (brief && what !== 'entry')
    throw new UsageError('--brief belongs to an entry: explain entry <id> --brief.');
  const server = { url: runningUrl(names.find(isUrl), args), token, session };
  if (brief) {
    const where = `journal/${words.map(encodeURIComponent).join('/')}?view=brief`;
    console.log(jsonLine(await requestOf(server, where, { schema: Brief, what: 'entries' })));
    return;
  }
  const query = at === undefined ? '' : `?at=${at}`;
  const path = `${found.path(...words.map(encodeURIComponent))}${query}`;
  const { explanation, text } = await found.read(server, path);
  if (json) console.log(jsonLine(explanation));
  else printWrapped(text);
}
