/** The page of errors that a user can act on: `docs/errors.md`. */
const page = 'https://backlot-dev.github.io/backlot/errors';

/** The headings of the page. A test holds that each exists. */
export type ErrorName =
  | 'control-api-token'
  | 'host-not-allowed'
  | 'invalid-definition'
  | 'invalid-scenario'
  | 'late-request'
  | 'msw-not-installed'
  | 'no-definition'
  | 'no-response'
  | 'no-sessions'
  | 'not-listening'
  | 'old-node'
  | 'origin-not-allowed'
  | 'port-in-use'
  | 'session-required'
  | 'store-folder'
  | 'store-redis'
  | 'undici-client'
  | 'unhandled-request'
  | 'unknown-scenario'
  | 'worker-script';

/** Ends a message with the address that says more about its causes. */
export function withPage(name: ErrorName, message: string): string {
  return `${message}${message.includes('\n') ? '\n' : ' '}See ${page}#${name}`;
}
