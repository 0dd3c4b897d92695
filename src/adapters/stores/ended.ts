/** Returns the text of a session that has ended, so that its client learns why. See `SessionTexts`. */
export function endText(reason: string): string {
  return JSON.stringify({ ended: reason });
}
