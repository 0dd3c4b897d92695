/** The faults of `backlot chaos`, the worst first: what each is, and the header `Prefer` that makes it. */
export const faults = [
  {
    name: 'drop',
    prefer: 'connection=drop',
    text: 'the connection is closed before the request is performed',
  },
  {
    name: 'drop after',
    prefer: 'connection=drop, after',
    text: 'the request is performed, and the connection closed before its response',
  },
  {
    name: 'malformed',
    prefer: 'corrupt=malformed',
    text: 'the request is performed, and its response is no JSON',
  },
  {
    name: 'cut off',
    prefer: 'corrupt=cut-off',
    text: 'the request is performed, and its response ends in the middle',
  },
  { name: '503', prefer: 'status=503', text: 'the server is overloaded' },
  { name: '401', prefer: 'status=401', text: 'the token is no longer valid' },
  { name: '429', prefer: 'status=429', text: 'the client has sent too many requests' },
  { name: 'slow', prefer: 'hold=slow', text: 'the response comes after the test has ended' },
] as const;

export type FaultName = (typeof faults)[number]['name'];

export const faultNames: readonly FaultName[] = faults.map(({ name }) => name);

/** Returns the header `Prefer` that makes a fault. */
export function preferenceOf(fault: FaultName): string {
  return faults.find(({ name }) => name === fault)!.prefer;
}
