import { Problem } from '../lib/problem.ts';
import { isControl } from '../lib/api-path.ts';
import { isSameSecret } from '../lib/names.ts';
import type { ApiRequest } from '../rest/message.ts';
import { withPage } from '../lib/error-page.ts';

/** Access to the control API. */
export interface ControlGuard {
  /** Whether the control API is on (default: true). */
  readonly control?: boolean | undefined;
  /** Token that requests must send as `X-Backlot-Token` or as a bearer token (default: none is required). */
  readonly controlToken?: string | undefined;
  /** The treatment of requests without a session: see `SessionOptions`. */
  readonly sessions?: 'optional' | 'required' | 'own' | undefined;
}

const root = '/_backlot';

/** Whether a path receives a file, which may be larger than other bodies. */
export function isImport(path: string): boolean {
  return isRecording(path) || isEndpoint('import', path);
}

/** Whether a path receives a recording, which its endpoint reads piece by piece. */
export function isRecording(path: string): boolean {
  return isEndpoint('trace', path);
}

function isEndpoint(name: string, path: string): boolean {
  return path.replace(/\/$/, '') === `${root}/${name}`;
}

/** The token as OpenAPI describes it. */
export const controlTokenGuard = {
  covers: (path: string) => isControl(path) && !isPublic(path),
  schemes: {
    controlToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Backlot-Token',
      description:
        'Required if the server was started with a token for the control API. A bearer token is accepted as well.',
    },
  },
  denied: { description: 'The control API requires a token' },
};

/**
 * Checks that a request may use the control API.
 *
 * @throws Problem `forbidden` if the control API is off, `denied` if a required token is missing or wrong
 */
export function assertControlAllowed(
  guard: ControlGuard,
  { headers }: Pick<ApiRequest, 'headers'>,
  path: string,
): void {
  if (guard.control === false) {
    throw new Problem('forbidden', 'The control API of this server is off.');
  }
  if (guard.controlToken !== undefined && !isPublic(path) && !isLinkOfVisitor(guard, path)) {
    assertToken(guard.controlToken, headers);
  } else if (guard.sessions === 'own' && /^\/_backlot\/(sessions|coverage|chaos)/.test(path)) {
    throw new Problem(
      'forbidden',
      'Each visitor of this server has a private session and cannot see those of others.',
    );
  }
}

/** Whether a request may use the control API. */
export function isControlAllowed(
  guard: ControlGuard,
  request: Pick<ApiRequest, 'headers'>,
  path: string,
): boolean {
  try {
    assertControlAllowed(guard, request, path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a path shows no data of a session. Pages load these before they have the token. */
export function isPublic(path: string): boolean {
  const name = path.slice(root.length).replaceAll('/', '');
  return publicPaths.has(name) || path.startsWith(`${root}/studio/`);
}

const publicPaths: ReadonlySet<string> = new Set([
  '',
  'docs',
  'page.css',
  'studio.js',
  'studio.css',
  'trace.html',
  'inter.css',
  'banner.js',
  'health',
  'openapi.json',
]);

/** Whether a path begins a session. Links on pages of other sites may lead to it. */
export function isBegin(path: string): boolean {
  return isEndpoint('begin', path);
}

/** Whether visitors may begin a session by a link: they may if each has a private one anyway. */
function isLinkOfVisitor({ sessions }: ControlGuard, path: string): boolean {
  return sessions === 'own' && isBegin(path);
}

function assertToken(token: string, headers: ApiRequest['headers']): void {
  const bearer = /^Bearer +(\S*)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (isSameSecret(headers['x-backlot-token'] ?? bearer ?? '', token)) return;
  throw new Problem(
    'denied',
    withPage(
      'control-api-token',
      'The control API requires a token. Send it as X-Backlot-Token or as a bearer token.',
    ),
    { headers: { 'www-authenticate': 'Bearer realm="Backlot"' } },
  );
}
