import { Problem } from '../lib/problem.ts';
import { isSameSecret } from '../lib/secret.ts';
import type { ApiRequest } from '../rest/message.ts';

/** Who may use the mock's own endpoints. */
export interface ControlGuard {
  /** False: nobody. */
  readonly control?: boolean | undefined;
  /** Who sends this, as `X-Backlot-Token` or as a bearer token; anybody if not given. */
  readonly controlToken?: string | undefined;
  /** What answers a request without a session: see `SessionOptions`. */
  readonly sessions?: 'optional' | 'required' | 'own' | undefined;
}

const root = '/_backlot';

/** Whether a path belongs to the mock itself, not to the interface that it mocks. */
export function isControl(path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Whether a path is where exports are taken back, which are larger than anything else. */
export function isImport(path: string): boolean {
  return path === `${root}/import` || path === `${root}/import/`;
}

/** How documents describe who is let in. */
export const controlTokenGuard = {
  covers: (path: string) => isControl(path) && !isPublic(path),
  schemes: {
    controlToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Backlot-Token',
      description:
        'Wanted where the server was started with a token for its control plane; a bearer token does as well.',
    },
  },
  denied: { description: 'Denied, where the control plane has a token' },
};

/**
 * Lets a request to the mock's own endpoints through.
 *
 * @throws Problem `forbidden` where they are off, `denied` where a token is wanted
 */
export function guardControl(
  guard: ControlGuard,
  { headers }: Pick<ApiRequest, 'headers'>,
  path: string,
): void {
  if (guard.control === false) {
    throw new Problem('forbidden', 'The control plane of this server is switched off.');
  }
  if (guard.controlToken !== undefined && !isPublic(path)) {
    checkToken(guard.controlToken, headers);
  } else if (guard.sessions === 'own' && path.startsWith(`${root}/sessions`)) {
    throw new Problem(
      'forbidden',
      'Every visitor of this server has a session of their own; nobody sees the others.',
    );
  }
}

/** Whether a request is let through. */
export function mayControl(
  guard: ControlGuard,
  request: Pick<ApiRequest, 'headers'>,
  path: string,
): boolean {
  try {
    guardControl(guard, request, path);
    return true;
  } catch {
    return false;
  }
}

/** What tells nothing of any session, so that a page can ask for the token. */
export function isPublic(path: string): boolean {
  const name = path.slice(root.length).replaceAll('/', '');
  return ['', 'docs', 'page.css', 'dashboard.js', 'health', 'openapi.json'].includes(name);
}

function checkToken(token: string, headers: ApiRequest['headers']): void {
  const bearer = /^Bearer +(.*)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (isSameSecret(headers['x-backlot-token'] ?? bearer ?? '', token)) return;
  throw new Problem(
    'denied',
    'The control plane of this server wants its token: send it as X-Backlot-Token, or as a bearer token.',
    { headers: { 'www-authenticate': 'Bearer realm="Backlot"' } },
  );
}
