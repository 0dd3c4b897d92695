import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { parseArguments } from '../../src/cli/arguments.ts';
import { Problem } from '../../src/lib/problem.ts';
import { readBody } from '../../src/rest/body.ts';
import type { ApiResponse } from '../../src/rest/message.ts';
import { bodyTooLarge } from '../../src/rest/serve.ts';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { openSessions, type Server } from '../../src/sessions/server.ts';
import { median, type Figure } from './report.ts';
import type { Room, Sent, Visit } from './visit.ts';
import { nastyPaths, nastyRequests } from './visitors-requests.ts';
import { stories } from './visitors-stories.ts';

const rooms: Readonly<Record<'demo' | 'plain', { room: Room; limit: number }>> = {
  demo: { room: { body: 8192, import: 786_432, head: 15_000, isDemo: true }, limit: 50 },
  plain: { room: { body: 1_048_576, import: 1_048_576, head: 15_000, isDemo: false }, limit: 250 },
};

/** Limits the visits to those with this text in their names: `VISIT=verify npm run bench -- visitors`. */
const wanted = process.env['VISIT'] ?? '';
const shown = Number(process.env['SHOWN'] ?? 12);
const rounds = 3;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * CPU time of the most expensive requests that a visitor can send, from the bytes of the body to the response: the first
 * time in a process that ran the others before, and later times.
 */
export async function visitorFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, { room, limit }] of Object.entries(rooms)) {
    const measured: Measured[] = [];
    const visits = [...stories(room), ...nastyPaths(room), ...nastyRequests(room)];
    for (const visit of visits) {
      if (!`${name} ${visit.name}`.includes(wanted)) continue;
      measured.push(await measure(visit, open(room.isDemo)));
    }
    figures.push(...worst(measured, name, limit));
  }
  return figures;
}

interface Measured {
  readonly visit: Visit;
  readonly first: number;
  readonly later: number;
  readonly answer: ApiResponse;
}

function worst(all: readonly Measured[], name: string, limit: number): Figure[] {
  const cost = ({ first, later }: Measured): number => Math.max(first, later);
  return all
    .toSorted((a, b) => cost(b) - cost(a))
    .slice(0, shown)
    .map((one) => ({
      name: `${name}: ${one.visit.name}`,
      value: cost(one),
      unit: 'ms',
      limit,
      detail: `first ${one.first.toFixed(0)}, later ${one.later.toFixed(1)}; ${one.answer.status}, ${one.answer.body?.length ?? 0} characters: ${one.answer.body?.slice(0, 90) ?? ''}`,
    }));
}

function open(isDemo: boolean): Server {
  const args = parseArguments(isDemo ? ['--demo'] : []);
  const { clock, maxRows, maxSnapshots, maxBody: maxBodyBytes } = args;
  const shared = openStoreOffice({ clock, maxRows, maxSnapshots });
  const sessions = openSessions(shared, {
    sessions: args.sessions,
    sessionIdle: args.sessionIdle,
    clientShare: args.clientShare,
    maxBodyBytes,
    maxControlBytes: args.maxControlBody,
    maxImportBytes: args.maxImport,
    fixedStarts: isDemo,
    newName: () => crypto.randomUUID(),
    ...(isDemo && { scenarios: builtInScenarios.filter((one) => one !== 'large') }),
  });
  // A demo does it when it begins to listen.
  if (isDemo) Array.from(sessions.warmUp());
  return sessions;
}

async function measure(visit: Visit, sessions: Server): Promise<Measured> {
  // What others left behind is not this one's cost.
  collectGarbage();
  const times: number[] = [];
  let answer: ApiResponse | undefined;
  for (let round = 0; round <= rounds; round++) {
    const session = `visitor-${round}`;
    const send = (request: Sent): Promise<ApiResponse> => answerOf(sessions, session, request);
    await visit.prepare?.(send);
    const { request } = visit;
    const sent = typeof request === 'function' ? await request(send) : inOtherNames(request, round);
    const start = process.cpuUsage();
    answer = await send(sent);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
    if (answer.status >= 500) console.error(`${visit.name}: ${answer.status} ${answer.body}`);
  }
  const [first = 0, ...later] = times;
  return { visit, first, later: median(later), answer: answer! };
}

/** A file with names that are new to V8: parsing them for the first time takes longer. */
function inOtherNames(request: Sent, round: number): Sent {
  const { url, body } = request;
  if (body === undefined || !url.startsWith('/_backlot/import')) return request;
  return { ...request, body: body.replaceAll(/"a(?=\d)/g, `"${'wxyz'[round] ?? 'a'}`) };
}

/** Answers a request from bytes to bytes, as a server does. */
async function answerOf(sessions: Server, session: string, sent: Sent): Promise<ApiResponse> {
  const { method, url, headers, body, type } = sent;
  const all = {
    'x-backlot-session': session,
    ...(type !== undefined && { 'content-type': type }),
    ...headers,
  };
  const request = { method, url, headers: all, client: '127.0.0.1' };
  if (body === undefined) return sessions.answer(request);
  const most = sessions.maxBodyBytes(request);
  const bytes = new TextEncoder().encode(body);
  try {
    if (bytes.length > most) throw bodyTooLarge(most);
    return sessions.answer({
      ...request,
      body: await readBody(bytes, all['content-type'] ?? ''),
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return sessions.answer({ ...request, unreadable: error });
  }
}
