/** The id and the secret of an OAuth client, as sent. */
export interface ClientCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/**
 * Returns the client credentials of an `Authorization` header with HTTP Basic, in which both parts are URL-encoded:
 * https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
 *
 * @returns undefined for another scheme; empty credentials if they cannot be decoded
 */
export function basicCredentials(authorization = ''): ClientCredentials | undefined {
  const [scheme, encoded = ''] = authorization.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'basic') return undefined;
  try {
    const [client_id, ...secret] = atob(encoded)
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    return { client_id, client_secret: secret.join(':') };
  } catch {
    return {};
  }
}
