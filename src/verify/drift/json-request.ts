import type { SentRequest } from '../../engine/definition/drift.ts';

export function jsonRequest(method: string, url: string, body?: unknown): SentRequest {
  return {
    method,
    url,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  };
}
