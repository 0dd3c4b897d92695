import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { parseArguments } from '../../src/cli/arguments.ts';
import { Problem } from '../../src/engine/lib/problem.ts';
import { readBody } from '../../src/engine/rest/body.ts';
import type { ApiResponse } from '../../src/engine/rest/message.ts';
import { bodyTooLarge } from '../../src/engine/rest/serve.ts';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { openSessions, type Server } from '../../src/engine/sessions/server.ts';
import { median, type Figure } from './report.ts';
import type { Room, Sent, Visit } from './visit.ts';
import { nastyRequests } from './visitors-requests.ts';
import { stories } from './visitors-stories.ts';

const rooms: Readonly<Record<'demo' | 'plain', { room: Room; limit: number }>> = {
  demo: { room: { body: 8192, import: 786_432, head: 15_000, isDemo: true }, limit: 50 },
  plain: { room: { body: 1_048_576, import: 1_048_576, head: 15_000, isDemo: false }, limit: 250 },
};

/** Limits the visits to those of a room, or with a text in their names: `ROOM=demo VISIT=verify npm run bench -- visitors`. */
const wantedRoom = process.env['ROOM'];
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
    if (wantedRoom !== undefined && wantedRoom !== name) continue;
    const measured: Measured[] = [];
    for (const visit of stories(room)) {
      if (visit.name.includes(wanted)) measured.push(await measureAlone(visit, room));
    }
    const server = open(room.isDemo);
    const before = heapUsed();
    let count = 0;
    for (const visit of nastyRequests(room)) {
      if (!visit.name.includes(wanted)) continue;
      const one = await measure(visit, server);
      // What others left behind, such as garbage, is not this one's cost.
      measured.push(costOf(one) < limit / 2 ? one : await measureAlone(visit, room));
      count += 1;
    }
    figures.push(...worst(measured, name, limit), {
      name: `${name}: kept of ${count} nasty requests in each of ${rounds + 1} sessions`,
      value: (heapUsed() - before) / 2 ** 20,
      unit: 'MiB',
      limit: 50,
    });
  }
  return figures;
}

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

interface Measured {
  readonly name: string;
  readonly first: number;
  readonly later: number;
  /** The status and the beginning of the body. A copy, because a part of a string keeps all of it. */
  readonly answer: string;
}

function costOf({ first, later }: Measured): number {
  return Math.max(first, later);
}

function worst(all: readonly Measured[], name: string, limit: number): Figure[] {
  return all
    .toSorted((a, b) => costOf(b) - costOf(a))
    .slice(0, shown)
    .map((one) => ({
      name: `${name}: ${one.name}`,
      value: costOf(one),
      unit: 'ms',
      limit,
      detail: `first ${one.first.toFixed(0)}, later ${one.later.toFixed(1)}; ${one.answer}`,
    }));
}

function open(isDemo: boolean): Server {
  const args = parseArguments(isDemo ? ['--demo'] : [], 'serve');
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

async function measureAlone(visit: Visit, room: Room): Promise<Measured> {
  const server = open(room.isDemo);
  collectGarbage();
  return measure(visit, server);
}

async function measure(visit: Visit, sessions: Server): Promise<Measured> {
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
  const { status, body = '' } = answer!;
  const shownAnswer = `${status}, ${body.length} characters: ${body.slice(0, 90)}`;
  return {
    name: visit.name,
    first,
    later: median(later),
    answer: Buffer.from(shownAnswer).toString(),
  };
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
