import { truncate } from '../lib/problem.ts';
import type { BackOffice } from '../office/open-back-office.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import type { SessionPool } from './session-pool.ts';

/** Moves the data of a back office to one of another API. Returns why they do not fit, if they do not. */
export type CarryOver = (
  from: BackOffice,
  to: BackOffice,
  find: (name: string) => ReadyScenario,
) => string | undefined;

/** The effects of another API. */
export interface ReplacedApi {
  /** The reason for which the shared back office was reset. */
  readonly reset: string | undefined;
  /** The reason for which sessions have ended. */
  readonly ended: readonly string[];
}

/** Moves the data of a shared back office and of sessions to those of another API. */
export function moveData(
  before: BackOffice,
  shared: BackOffice,
  sessions: SessionPool,
  carryOver: (from: BackOffice, to: BackOffice) => string | undefined,
): ReplacedApi {
  const reset = carryOver(before, shared);
  sessions.replaced(before, shared);
  const ended = sessions.list().flatMap(({ name, office }) => {
    const other = shared.sibling(name, shared.scenario);
    const reason = carryOver(office, other);
    if (reason === undefined) {
      sessions.replace(name, other);
      return [];
    }
    sessions.end(name, reasonText(reason));
    return [reasonText(reason)];
  });
  return { reset: reset === undefined ? undefined : reasonText(reset), ended };
}

/** Returns a reason as a header can have it: one line of ASCII. */
export function reasonText(text: string): string {
  const line = text
    .replace(/\.$/, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\x20-\x7E]/g, '?');
  return truncate(line, 500).replace('…', '...');
}
