/** Why a session begins anew whose server has ended before its first save. */
export const neverSaved = 'its server has ended before it was saved';

/** Returns the text of a session that has ended, so that its client learns why. See `SessionTexts`. */
export function endText(reason: string): string {
  return JSON.stringify({ ended: reason });
}
