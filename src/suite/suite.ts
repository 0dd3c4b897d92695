import { faultNames, type FaultName } from './fault-names.ts';
import { userOracles, type Check, type Oracle, type Under } from './user-oracles.ts';

export type { FaultName } from './fault-names.ts';
export type {
  Check,
  FaultedRequest,
  FaultedRun,
  JudgedRun,
  Oracle,
  Under,
} from './user-oracles.ts';

/**
 * Says in a test what its page should do under a fault: `expectUnder('drop', () => expect(page).toHaveTextContent('offline'))`.
 * Call it before what the test awaits, because a test that has failed registers nothing more. Outside of
 * `npx backlot chaos` it does nothing.
 *
 * Under the fault, the check runs when the test function has ended or failed, and its result is the verdict: green, or red with the
 * message of what it throws.
 *
 * @param under a fault, or several: `{ fault: ['503', '429'], request: 'PUT /api/checkouts' }`
 * @param check may return a promise
 * @throws TypeError for a fault that does not exist
 */
export function expectUnder(under: Under, check: Check): void {
  const { fault, request }: Exclude<Under, string> =
    typeof under === 'string' ? { fault: under } : under;
  const faults = typeof fault === 'string' ? [fault] : fault;
  for (const one of faults) assertFault(one);
  const requests = request === undefined ? [] : [request];
  userOracles().onExpectation?.({ faults, requests, check });
}

function assertFault(name: FaultName): void {
  if (faultNames.includes(name)) return;
  throw new TypeError(
    `The fault of expectUnder must be one of ${faultNames.join(', ')}, not '${name}'.`,
  );
}

/**
 * Adds a rule by which `npx backlot chaos` judges pages, for a setup file:
 * `oracle('no stack trace', ({ texts }) => texts?.find((text) => text.includes(' at ')))`. It is called for each run that is not
 * red otherwise, and whose test expects nothing by `expectUnder`.
 *
 * @param name the beginning of its reasons. Another oracle of the same name takes its place
 * @param judge returns the reason if the run is red, or undefined; an error that it throws is a reason, too
 */
export function oracle(name: string, judge: Oracle): void {
  userOracles().oracles.set(name, judge);
}
