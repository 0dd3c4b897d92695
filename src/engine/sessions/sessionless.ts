import { Problem } from '../lib/problem.ts';
import { withPage } from '../lib/error-page.ts';

/** The error for what only a server with sessions has. */
export function sessionless(): Problem {
  return new Problem(
    'missing',
    withPage(
      'no-sessions',
      'This back office has no sessions, because no server runs it. Leave out /s/<name>/ and X-Backlot-Session, and open a back office for each shop; or `npx backlot` starts a server with sessions.',
    ),
  );
}
