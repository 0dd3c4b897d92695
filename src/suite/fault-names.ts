import { corruptBody, createResponse } from '../engine/faults/fault-response.ts';
import type { ApiResponse } from '../engine/rest/message.ts';

/** The faults of `backlot chaos`, the worst first: what each is, and its part of a rule of faults. */
export const faults = [
  {
    name: 'drop',
    rule: { connection: 'drop' },
    text: 'the connection is closed before the request is performed',
  },
  {
    name: 'drop after',
    rule: { connection: 'drop', after: true },
    text: 'the request is performed, and the connection closed before its response',
  },
  {
    name: 'malformed',
    rule: { corrupt: 'malformed' },
    text: 'the request is performed, and its response is no JSON',
  },
  {
    name: 'cut off',
    rule: { corrupt: 'cut-off' },
    text: 'the request is performed, and its response ends in the middle',
  },
  { name: '503', rule: { status: 503 }, text: 'the server is overloaded' },
  { name: '401', rule: { status: 401 }, text: 'the token is no longer valid' },
  { name: '429', rule: { status: 429 }, text: 'the client has sent too many requests' },
  { name: 'slow', rule: { hold: 'slow' }, text: 'the response comes after the test has ended' },
] as const;

export type FaultName = (typeof faults)[number]['name'];

export const faultNames: readonly FaultName[] = faults.map(({ name }) => name);

/** Returns the header `Prefer` that makes a fault. */
export function preferenceOf(fault: FaultName): string {
  const { rule } = faults.find(({ name }) => name === fault)!;
  return Object.entries(rule)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ');
}

/** Returns the response of a fault in whose place nothing is performed; undefined for a fault of another kind. */
export function replacementOf(fault: FaultName | undefined): ApiResponse | undefined {
  return fault === '503' || fault === '401' || fault === '429'
    ? createResponse(Number(fault))
    : undefined;
}

/** Returns what is received in the place of the text of a response. */
export function corruptedText(text: string, fault: 'malformed' | 'cut off'): string {
  const how = fault === 'cut off' ? 'cut-off' : 'malformed';
  return corruptBody({ status: 200, headers: {}, body: text }, how).body ?? '';
}
