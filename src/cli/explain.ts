import { styleText } from 'node:util';
import * as z from 'zod';
import { OrderExplanationView } from '../control/endpoints/explain.ts';
import { escapeControls, printable } from '../lib/printable.ts';
import { truncate } from '../lib/problem.ts';
import { orderText } from '../office/explain-text.ts';
import type { Arguments } from './commands.ts';
import { headersOf, isUrl, runningUrl, type RunningServer } from './running-server.ts';
import { readAs } from './tail/received.ts';
import { UsageError } from './values.ts';

/** Maximum time for a response, in milliseconds. */
const maxTime = 15_000;

/**
 * Prints why an order of a running server has its total: `explain order 1`.
 *
 * @throws UsageError for what cannot be explained, and for a server that is not there or refuses
 */
export async function explain(args: Arguments<'explain'>): Promise<void> {
  const { names, token, session, json } = args;
  const [what, id, ...more] = names.filter((name) => !isUrl(name));
  if (what !== 'order' || id === undefined || more.length > 0) {
    throw new UsageError('explain requires what to explain: backlot explain order 1');
  }
  const server = { url: runningUrl(names.find(isUrl), args), token, session };
  const explanation = await read(server, `orders/${encodeURIComponent(id)}/why`);
  console.log(
    json ? escapeControls(JSON.stringify(explanation)) : orderText(explanation, styleText),
  );
}

const ErrorBody = z.object({ message: z.string() });

async function read(
  server: RunningServer,
  path: string,
): Promise<z.output<typeof OrderExplanationView>> {
  const { url } = server;
  const response = await fetch(`${url}/_backlot/${path}`, {
    headers: headersOf(server),
    // Another server must not receive the token.
    redirect: 'manual',
    signal: AbortSignal.timeout(maxTime),
  }).catch(() => undefined);
  if (response === undefined) {
    throw new UsageError(`No response from ${url}. Is the server running?`);
  }
  if (response.status === 401)
    throw new UsageError(`${url} requires the token of its control API: --token <token>.`);
  const explanation = response.ok ? await readAs(OrderExplanationView, response) : undefined;
  if (explanation !== undefined) return explanation;
  const { message } = (response.ok ? undefined : await readAs(ErrorBody, response)) ?? {};
  throw new UsageError(
    message === undefined
      ? `${url} has no explanations of Backlot: status ${response.status}.`
      : printable(truncate(message)),
  );
}
