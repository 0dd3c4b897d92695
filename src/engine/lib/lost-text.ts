/** From which entries on a history is complete. */
interface Reach {
  readonly changesFrom: number;
  readonly entriesFrom: number;
}

/**
 * Says which entries of a history are not kept any more: `Changes before #151 are not kept.`
 *
 * @param from the id of the first entry that is asked for
 * @returns undefined if all are kept
 */
export function lostText({ changesFrom, entriesFrom }: Reach, from = 1): string | undefined {
  const lacksChanges = from < changesFrom;
  if (from >= entriesFrom)
    return lacksChanges ? `Changes before #${changesFrom} are not kept.` : undefined;
  if (!lacksChanges) return `Before #${entriesFrom}, only changes are kept.`;
  if (changesFrom < entriesFrom)
    return `Before #${entriesFrom}, only changes from #${changesFrom} on are kept.`;
  const changes = changesFrom > entriesFrom ? ` and changes before #${changesFrom}` : '';
  return `Entries before #${entriesFrom}${changes} are not kept.`;
}

/** Says which changes are not kept, undefined if all are. */
export function lostChanges(changesFrom: number): string | undefined {
  return lostText({ changesFrom, entriesFrom: 1 });
}
