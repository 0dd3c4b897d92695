import { isObject } from './json-value.ts';

// An error may come from another realm, such as that of a test, so it is no `Error` of this one.

/** Returns the message of what was thrown, whatever that is. */
export function thrownMessage(error: unknown): string {
  const message = isObject(error) ? error['message'] : undefined;
  return String(message === undefined || message === '' ? error : message);
}

/** Returns the code of an error of the system: `ENOENT`; empty for another one. */
export function errorCode(error: unknown): string {
  return isObject(error) && 'code' in error ? String(error['code']) : '';
}
