/** Returns the message of what was thrown, whatever that is. */
export function thrownMessage(error: unknown): string {
  return (hasMessage(error) && error.message) || String(error);
}

/** Returns the code of an error of the system: `ENOENT`; empty for another one. */
export function errorCode(error: unknown): string {
  return hasCode(error) ? String(error.code) : '';
}

// An error may come from another realm, such as that of a test, so it is no `Error` of this one.

function hasMessage(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error;
}

function hasCode(error: unknown): error is { readonly code: unknown } {
  return typeof error === 'object' && error !== null && 'code' in error;
}
