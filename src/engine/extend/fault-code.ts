import { extendedFaultRules, extendedFaults, issuesOfFault } from './own-fault.ts';

/** What kinds of fault need. */
export const faultCode = { extendedFaults, extendedFaultRules, issuesOf: issuesOfFault };

export type FaultCode = typeof faultCode;
