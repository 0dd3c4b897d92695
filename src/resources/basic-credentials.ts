/** The id and the secret of an OAuth client, as sent. */
export interface ClientCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/**
 * Returns the client credentials of an `Authorization` header with HTTP Basic, in which both parts are URL-encoded:
 * https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1. Clients that leave out the encoding are understood.
 *
 * @returns undefined for another scheme; empty credentials if they cannot be decoded
 */
export function basicCredentials(authorization = ''): ClientCredentials | undefined {
  const [scheme, encoded = ''] = authorization.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'basic') return undefined;
  const [, id, secret] = /^([^:]*):([^]*)$/.exec(fromBase64(encoded)) ?? [];
  if (id === undefined || secret === undefined) return {};
  return { client_id: urlDecoded(id), client_secret: urlDecoded(secret) };
}

function fromBase64(encoded: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0)));
  } catch {
    return '';
  }
}

function urlDecoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}
